extension StringProtocol {
    /// The text with only the beginning of each character that has more marks than any script needs.
    ///
    /// One character may have any number of marks, so counting characters limits nothing by itself.
    package var withFewMarks: String {
        var text = ""
        for character in self {
            let scalars = character.unicodeScalars
            guard scalars.dropFirst(Self.scalarsMost).isEmpty else {
                text.unicodeScalars += scalars.prefix(Self.scalarsMost)
                text += "…"
                continue
            }
            text.append(character)
        }
        return text
    }

    /// The most scalars of one character; a family emoji with skin tones has eleven.
    private static var scalarsMost: Int { 16 }
}

extension String {
    /// Returns the text, or its beginning and an ellipsis if it has more than `count` characters.
    package func shortened(to count: Int) -> String {
        let beginning = prefix(count)
        return beginning.endIndex == endIndex ? self : beginning.dropLast() + "…"
    }

    /// Returns the longest beginning of whole characters that fits this number of bytes of UTF-8.
    package func prefix(fittingBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var (end, count) = (startIndex, 0)
        while end < endIndex {
            let next = index(after: end)
            count += self[end..<next].utf8.count
            if count > limit { break }
            end = next
        }
        return String(self[..<end])
    }
}
