extension Folding {
    /// Returns the folded text.
    package func fold(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        fold(text, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Folds a text, and appends the result in UTF-8.
    package func fold(_ text: some StringProtocol, into bytes: inout [UInt8]) {
        bytes.reserveCapacity(bytes.count + text.utf8.count)
        // The bytes of a Swift string are always valid UTF-8, even in a substring.
        if text.utf8.withContiguousStorageIfAvailable({ fold(utf8: $0, into: &bytes) }) == nil {
            Array(text.utf8).withUnsafeBufferPointer { fold(utf8: $0, into: &bytes) }
        }
    }

    /// Folds a UTF-8 text and appends the result.
    ///
    /// All scalars of the text must be complete.
    func fold(utf8 text: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]) {
        var writer = FoldedText(self, bytes)
        bytes = []
        writer.foldText(text)
        bytes = writer.bytes
    }
}

/// Folds a text, and collects the result.
private struct FoldedText {
    private(set) var bytes: [UInt8]
    private let folding: Folding
    private let table: FoldingTable
    /// The last written scalar and its position, if the next scalar may combine with it; otherwise zero.
    private var last: UInt32 = 0, lastPlace = 0
    /// The marks of the current letter that are not written yet.
    ///
    /// Equivalent texts have the marks of a letter in different orders. So the marks wait until the last one is known,
    /// and are then sorted.
    private var marks: [UInt32] = []

    init(_ folding: Folding, _ bytes: [UInt8]) {
        (self.folding, self.bytes, table) = (folding, bytes, FoldingTable.of(folding))
    }

    /// Folds a whole text.
    mutating func foldText(_ text: UnsafeBufferPointer<UInt8>) {
        var place = 0
        while place < text.count {
            if text[place] < 0x80 {
                let end = text[place...].firstIndex { $0 >= 0x80 } ?? text.count
                foldASCII(UnsafeBufferPointer(rebasing: text[place..<end]))
                place = end
            } else {
                foldScalar(Self.scalar(in: text, at: &place))
            }
        }
        settleMarks()
    }

    /// Reads the non-ASCII scalar that begins at a position, and moves the position past the scalar.
    private static func scalar(in text: UnsafeBufferPointer<UInt8>, at place: inout Int) -> UInt32 {
        let head = text[place]
        let length = head < 0xe0 ? 2 : head < 0xf0 ? 3 : 4
        var value = UInt32(head) & (0x7f >> UInt32(length))
        for byte in text[place + 1..<place + length] { value = value << 6 | UInt32(byte & 0x3f) }
        place += length
        return value
    }

    private mutating func foldASCII(_ text: UnsafeBufferPointer<UInt8>) {
        settleMarks()
        last = 0
        let start = bytes.count
        bytes.append(contentsOf: text)
        guard folding.contains(.letterCase) else { return }
        bytes.withUnsafeMutableBufferPointer { bytes in
            for place in start..<bytes.count {
                bytes[place] |= bytes[place] &- 0x41 < 26 ? 0x20 : 0
            }
        }
    }

    private mutating func foldScalar(_ value: UInt32) {
        // The scalar is composed before it is folded. For a letter that keeps its mark, folding would drop the mark.
        if join(value) { return }
        table.fold(value) { append($0) }
    }

    /// Combines a scalar with the last one if both form a single letter; returns whether it did.
    private mutating func join(_ value: UInt32) -> Bool {
        guard last != 0, let whole = FoldingTable.joining(last, value), !isKeptApart(value) else {
            return false
        }
        bytes.removeSubrange(lastPlace...)
        write(whole)
        return true
    }

    /// Whether a waiting mark separates a scalar from its letter in all equivalent texts.
    private func isKeptApart(_ value: UInt32) -> Bool {
        guard !marks.isEmpty else { return false }
        let combiningClass = value.combiningClass
        return combiningClass == 0 || marks.contains { $0.combiningClass == combiningClass }
    }

    private mutating func append(_ value: UInt32) {
        if value.mayBeMark, value.combiningClass != 0 {
            // The mark of a half-width voiced kana becomes full-width only by folding. So it can combine only here.
            if !join(value) { marks.append(value) }
            return
        }
        settleMarks()
        if !join(value) { write(value) }
    }

    /// Writes the waiting marks in their canonical order.
    private mutating func settleMarks() {
        guard !marks.isEmpty else { return }
        let ordered = marks.enumerated().sorted {
            ($0.element.combiningClass, $0.offset) < ($1.element.combiningClass, $1.offset)
        }
        marks.removeAll(keepingCapacity: true)
        // A mark may combine with the letter now, because no other mark is between them any more.
        for mark in ordered where !join(mark.element) { write(mark.element) }
    }

    private mutating func write(_ value: UInt32) {
        (last, lastPlace) = (value, bytes.count)
        guard let scalar = Unicode.Scalar(value) else { return }
        if value < 0x80 { return bytes.append(UInt8(value)) }
        bytes.append(contentsOf: UTF8.encode(scalar)!)
    }
}

extension UInt32 {
    /// Whether the scalar may be a mark.
    ///
    /// For most letters, this is false without a lookup.
    fileprivate var mayBeMark: Bool {
        switch self {
        case ..<0x300, 0x370...0x482, 0x3400...0xa66e, 0xac00...0xfb1d: false
        default: true
        }
    }

    /// The canonical combining class of a mark, by which the marks of a letter are sorted; 0 for other scalars.
    fileprivate var combiningClass: UInt8 {
        Unicode.Scalar(self)?.properties.canonicalCombiningClass.rawValue ?? 0
    }
}
