extension StringProtocol {
    /// The text, in which each character with more marks than any script needs is cut.
    ///
    /// One character may have any number of marks. So a limit on the number of characters alone does not limit the size
    /// of a text.
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

    /// The largest number of scalars of one character.
    ///
    /// A family emoji with skin tones has eleven.
    private static var scalarsMost: Int { 16 }
}

extension String {
    /// Returns the text; if it has more than `count` characters, it is cut to this number, and an ellipsis is its last
    /// character.
    package func shortened(to count: Int) -> String {
        let beginning = prefix(count)
        return beginning.endIndex == endIndex ? self : beginning.dropLast() + "…"
    }

    /// Returns the longest prefix of whole characters that fits into this number of bytes of UTF-8.
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
