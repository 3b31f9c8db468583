/// The folded parts of a text between its wildcards.
///
/// If the text has no wildcard, there is one part.
///
/// A wildcard stands for any number of letters, each with its marks. Folding without diacritics would drop these marks.
/// A wildcard never separates such a mark from its letter, so `e*` does not match `é` unless diacritics are ignored.
struct WildcardPattern: Equatable, Sendable {
    private(set) var parts: [Needle]
    /// Whether diacritics are kept in the folded text.
    ///
    /// In that case, a wildcard must not separate them from their letters.
    let hasMarks: Bool

    init(_ parts: [String], folding: Folding) {
        self.init(
            parts.map { part in
                var bytes: [UInt8] = []
                folding.fold(part, into: &bytes)
                return Needle(bytes)
            }, hasMarks: !folding.contains(.diacritics))
    }

    init(_ parts: [Needle], hasMarks: Bool) { (self.parts, self.hasMarks) = (parts, hasMarks) }

    /// Whether the text has a wildcard.
    var hasWildcard: Bool { parts.count > 1 }

    /// Whether the pattern matches a folded text from its beginning to its end.
    func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard hasWildcard else {
            return parts[0].bytes.count == text.count && parts[0].stands(at: 0, in: text)
        }
        guard let end = endOfAllButLast(in: text, 0..<text.count, from: 0) else { return false }
        let start = text.count - parts[parts.count - 1].bytes.count
        return start >= end && parts[parts.count - 1].stands(at: start, in: text) && isLetter(at: start, text)
    }

    /// Returns the first index at which a match of all parts but the last one can end; nil if there is none.
    ///
    /// The first part must be at `start`.
    func endOfAllButLast(
        in text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, from start: Int
    ) -> Int? {
        var end = start + parts[0].bytes.count
        guard end <= range.upperBound, parts[0].stands(at: start, in: text), isLetter(at: end, text) else {
            return nil
        }
        for part in parts.dropFirst().dropLast() {
            var found: Int?
            part.visitOccurrences(in: text, end..<range.upperBound) { place in
                let next = place + part.bytes.count
                if isLetter(at: place, text), isLetter(at: next, text) { found = next }
                return found == nil
            }
            guard let found else { return nil }
            end = found
        }
        return end
    }

    /// Whether a letter begins at an index, and not a mark that belongs to the letter before.
    ///
    /// The end of the text counts as a letter.
    func isLetter(at place: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard hasMarks, place > 0, place < text.count, text[place] >= 0x80 else { return true }
        return !text.isDroppedMark(at: place)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether folding without diacritics would drop the scalar that begins at an index.
    fileprivate func isDroppedMark(at place: Int) -> Bool {
        let head = self[place]
        let length = head < 0xe0 ? 2 : head < 0xf0 ? 3 : 4
        let scalars = String(decoding: self[place..<Swift.min(place + length, count)], as: UTF8.self)
            .unicodeScalars
        var isDropped = true
        for scalar in scalars { Folding.diacritics.fold(scalar) { _ in isDropped = false } }
        return isDropped
    }
}
