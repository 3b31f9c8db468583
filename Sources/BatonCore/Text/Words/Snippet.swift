/// A short part of a text that contains words of a search.
package struct Snippet: Equatable, Sendable {
    /// The part of the text, on one line.
    ///
    /// An ellipsis is at each end where the text was cut.
    package var text: String
    /// The ranges of the search's words in `text`.
    ///
    /// They are in bytes, in ascending order, and do not overlap.
    package var ranges: [Range<Int>]

    package init(_ text: String, _ ranges: [Range<Int>]) { (self.text, self.ranges) = (text, ranges) }

    /// The maximum length of a snippet in bytes, and the maximum length from its first word of the search to its last
    /// one.
    package static let bytes = 180
    static let windowBytes = 120
    /// The maximum number of bytes that are searched for one result.
    package static let scannedBytes = 256 << 10
    /// The maximum number of occurrences in one text that are compared.
    static let placesMost = 256
}

/// Creates the snippets for the results of one search.
///
/// The work for all results together is limited.
package struct SnippetMaker {
    private let finder: PhraseFinder
    private let phraseCount: Int
    /// The number of bytes that may still be searched.
    private var rest = 4 << 20

    /// Creates a maker for the phrases of a search.
    package init(_ phrases: [Phrase]) {
        (finder, phraseCount) = (PhraseFinder(phrases), phrases.count)
    }

    /// Returns the part of the texts that contains the largest number of phrases that are missing in the title.
    ///
    /// Returns nil if the title contains all phrases, or if the searched beginning of the texts contains no missing
    /// phrase. If several parts are equally good, the first is returned. The texts are read only if a phrase is missing
    /// in the title.
    package mutating func snippet(title: String?, texts: @autoclosure () -> [String]) -> Snippet? {
        // There is one bit for each phrase. A finder has at most 64 phrases.
        var missing: UInt64 = phraseCount < 64 ? 1 << UInt64(phraseCount) - 1 : .max
        if var title {
            title.withUTF8 { title in
                finder.visit(UnsafeBufferPointer(rebasing: title.prefix(Snippet.scannedBytes))) { place in
                    missing &= ~(1 << UInt64(place.phrase))
                    return missing != 0
                }
            }
        }
        guard missing != 0 else { return nil }
        var (best, left): ((score: Int, snippet: Snippet)?, Int) = (nil, Snippet.scannedBytes)
        for var text in texts() where !text.isEmpty && left > 0 && rest > 0 {
            text.withUTF8 { text in
                let scanned = min(text.count, left, rest)
                (left, rest) = (left - scanned, rest - scanned)
                let places = self.places(in: text, scanned: scanned)
                guard let window = Self.window(of: places, missing: missing), window.score > best?.score ?? 0
                else { return }
                best = (window.score, Snippet(of: text, around: window.range, places.map(\.range)))
            }
        }
        return best?.snippet
    }

    /// Returns the occurrences in the beginning of a text that are short enough to be shown.
    private func places(
        in text: UnsafeBufferPointer<UInt8>, scanned: Int
    ) -> [PhraseFinder.Place] {
        var places: [PhraseFinder.Place] = []
        finder.visit(UnsafeBufferPointer(rebasing: text.prefix(scanned))) { place in
            // A word at the end of the searched part is skipped, because it may continue after the part.
            guard scanned == text.count || place.range.upperBound < scanned else { return true }
            if let place = shortened(place, in: text) { places.append(place) }
            return places.count < Snippet.placesMost
        }
        return places.sorted {
            ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
        }
    }

    /// Returns an occurrence, cut if it is too long to be shown; nil if the phrase does not occur in the remaining
    /// beginning.
    private func shortened(
        _ place: PhraseFinder.Place, in text: UnsafeBufferPointer<UInt8>
    ) -> PhraseFinder.Place? {
        guard place.range.count > Snippet.windowBytes else { return place }
        let start = place.range.lowerBound
        let end = text.scalarStart(at: start + Snippet.windowBytes)
        var shortened: PhraseFinder.Place?
        finder.visit(UnsafeBufferPointer(rebasing: text[start..<end])) { found in
            guard found.phrase == place.phrase, found.range.lowerBound == 0 else { return true }
            shortened = place
            shortened?.range = start..<(start + found.range.upperBound)
            return false
        }
        return shortened
    }

    /// Returns the range with the best occurrences, and its score; nil if no range contains a missing phrase.
    private static func window(
        of places: [PhraseFinder.Place], missing: UInt64
    ) -> (score: Int, range: Range<Int>)? {
        var best: (score: Int, range: Range<Int>)?
        for (number, start) in places.enumerated() {
            var (phrases, whole): (UInt64, UInt64) = (0, 0)
            var end = start.range.upperBound
            for place in places[number...] {
                guard place.range.lowerBound - start.range.lowerBound < Snippet.windowBytes else { break }
                guard place.range.upperBound - start.range.lowerBound <= Snippet.windowBytes else { continue }
                // An occurrence that improves nothing does not move the end. So the snippet stays close to the
                // important words.
                let bit: UInt64 = 1 << UInt64(place.phrase)
                if phrases & bit == 0 || place.isWhole && whole & bit == 0 {
                    end = max(end, place.range.upperBound)
                }
                phrases |= bit
                if place.isWhole { whole |= bit }
            }
            let found = (phrases & missing).nonzeroBitCount * 64 + phrases.nonzeroBitCount
            let score = found * 64 + whole.nonzeroBitCount
            guard score >= 64 * 64, score > best?.score ?? 0 else { continue }
            best = (score, start.range.lowerBound..<end)
        }
        return best
    }
}

extension Snippet {
    /// Creates the snippet around a range of a text.
    ///
    /// The occurrences that lie in the snippet become its ranges.
    fileprivate init(
        of text: UnsafeBufferPointer<UInt8>, around range: Range<Int>, _ places: [Range<Int>]
    ) {
        let spare = Self.bytes - range.count
        let start = text.beginning(from: range.lowerBound - spare / 3, before: range.lowerBound)
        let end = text.ending(before: start + Self.bytes, from: range.upperBound)
        var (bytes, shown) = ([UInt8](), [Int](repeating: 0, count: end - start + 1))
        if start > 0 { bytes += Array("…".utf8) }
        var (isGap, offset) = (true, 0)
        for scalar in String(decoding: text[start..<end], as: UTF8.self).unicodeScalars {
            shown[offset] = bytes.count
            if scalar.isSpace {
                if !isGap { bytes.append(0x20) }
                isGap = true
            } else {
                if scalar.isASCII { bytes.append(UInt8(scalar.value)) } else { bytes += String(scalar).utf8 }
                isGap = false
            }
            offset += UTF8.width(scalar)
            shown[offset] = bytes.count
        }
        if end < text.count { bytes += Array("…".utf8) } else if bytes.last == 0x20 { bytes.removeLast() }
        let inside = places.filter { start <= $0.lowerBound && $0.upperBound <= end }
        self.init(
            String(decoding: bytes, as: UTF8.self),
            inside.map { shown[$0.lowerBound - start]..<shown[$0.upperBound - start] }.united)
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is white space.
    ///
    /// Most scalars need no lookup.
    fileprivate var isSpace: Bool {
        if isASCII { return UInt8(value).isSpace }
        // There is no white space between U+00A0 and U+1680, and none after U+3000.
        if 0xa1..<0x1680 ~= value || value > 0x3000 { return false }
        return properties.isWhitespace
    }
}

/// Finds the ends of a snippet in a text, which must be valid UTF-8.
extension UnsafeBufferPointer<UInt8> {
    /// Returns the last index, at or before `place`, at which a scalar begins.
    fileprivate func scalarStart(at place: Int) -> Int {
        guard place < count else { return count }
        var place = Swift.max(place, 0)
        while place > 0, self[place] & 0xc0 == 0x80 { place -= 1 }
        return place
    }

    /// Returns the beginning of a snippet, near `place` and not after `limit`.
    ///
    /// If there is a space between both, the snippet begins after the space.
    fileprivate func beginning(from place: Int, before limit: Int) -> Int {
        let start = scalarStart(at: place)
        guard start > 0 else { return 0 }
        // A space that ends right at the limit counts, too.
        if let space = self[start..<limit].firstIndex(where: \.isSpace) { return space + 1 }
        if self[start - 1].isSpace { return start }
        // A snippet must not begin with a mark, because a mark belongs to the letter before it.
        var (scalars, begin) = (String(decoding: self[start..<limit], as: UTF8.self).unicodeScalars, start)
        while let scalar = scalars.popFirst(), WordClass(scalar) == .mark { begin += UTF8.width(scalar) }
        return begin
    }

    /// Returns the end of a snippet, near `place` and not before `limit`.
    ///
    /// If there is a space between both, the snippet ends before the space.
    fileprivate func ending(before place: Int, from limit: Int) -> Int {
        guard place < count else { return count }
        let end = Swift.max(scalarStart(at: place), limit)
        if self[end].isSpace { return end }
        return self[limit..<end].lastIndex(where: \.isSpace) ?? end
    }
}

extension UInt8 {
    /// Whether the byte is an ASCII space, tab or line break.
    fileprivate var isSpace: Bool { self == 0x20 || 0x9...0xd ~= self }
}

extension String.UnicodeScalarView {
    /// Removes the first scalar and returns it; nil if there is none.
    fileprivate mutating func popFirst() -> Unicode.Scalar? { isEmpty ? nil : removeFirst() }
}
