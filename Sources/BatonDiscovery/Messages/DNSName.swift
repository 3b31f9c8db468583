/// A domain name, such as `_baton._tcp.local`: a sequence of labels of arbitrary bytes.
///
/// Two names are equal if they differ only in the case of ASCII letters.
package struct DNSName: Sendable {
    /// The labels of the name, each after a byte with its length.
    ///
    /// The zero byte that ends a name in a message is left out.
    let bytes: [UInt8]

    /// The largest number of bytes of a name in a message, including the zero byte at its end.
    static let bytesMost = 255
    /// The largest number of bytes of a label.
    static let labelBytesMost = 63

    /// Creates a name from labels; returns nil if a label is empty or too long, or if the name is too long.
    package init?(labels: [some Collection<UInt8>]) {
        var bytes: [UInt8] = []
        for label in labels {
            guard (1...Self.labelBytesMost).contains(label.count) else { return nil }
            bytes.append(UInt8(label.count))
            bytes += label
            guard bytes.count < Self.bytesMost else { return nil }
        }
        self.bytes = bytes
    }

    /// Creates a name from a text in which dots separate the labels.
    ///
    /// Returns nil if a label is empty or too long, or if the name is too long.
    package init?(_ text: some StringProtocol) {
        self.init(labels: text.split(separator: ".", omittingEmptySubsequences: false).map { Array($0.utf8) })
    }

    /// Creates a name from encoded labels that were already checked.
    init(checked bytes: [UInt8]) { self.bytes = bytes }

    /// Returns this name with one more label before it.
    ///
    /// Returns nil if the label is empty or too long, or if the new name is too long.
    func prefixed(by label: some Collection<UInt8>) -> DNSName? {
        guard (1...Self.labelBytesMost).contains(label.count), bytes.count + label.count + 2 <= Self.bytesMost
        else { return nil }
        return DNSName(checked: [UInt8(label.count)] + label + bytes)
    }

    /// Returns the first label if the rest of this name equals `suffix`; returns nil otherwise.
    func label(before suffix: DNSName) -> ArraySlice<UInt8>? {
        guard let count = bytes.first, bytes.count == Int(count) + 1 + suffix.bytes.count,
            Self.areEqual(bytes[(Int(count) + 1)...], suffix.bytes[...])
        else { return nil }
        return bytes[1...Int(count)]
    }

    /// The labels of the name, in order.
    var labels: [ArraySlice<UInt8>] {
        var (labels, rest): ([ArraySlice<UInt8>], ArraySlice<UInt8>) = ([], bytes[...])
        while let count = rest.first {
            labels.append(rest.dropFirst().prefix(Int(count)))
            rest = rest.dropFirst(Int(count) + 1)
        }
        return labels
    }

    /// Returns whether the bytes of two names are equal, ignoring the case of ASCII letters.
    ///
    /// The length of a label is at most 63, which is less than any letter. So a length is never treated as a letter.
    private static func areEqual(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { $0 == $1 || fold($0) == fold($1) }
    }

    /// Returns an ASCII letter in lower case, and any other byte unchanged.
    static func fold(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte | 0x20 : byte }
}

extension DNSName: Hashable {
    package static func == (left: Self, right: Self) -> Bool { areEqual(left.bytes[...], right.bytes[...]) }

    package func hash(into hasher: inout Hasher) {
        for byte in bytes { hasher.combine(Self.fold(byte)) }
    }
}

extension DNSName: CustomStringConvertible {
    /// The labels with dots between them.
    ///
    /// A byte that is not a visible ASCII character is shown as `\` and three digits.
    package var description: String {
        labels.map { label in
            label.map { byte in
                switch byte {
                case UInt8(ascii: "."), UInt8(ascii: "\\"): "\\\(Character(Unicode.Scalar(byte)))"
                case 0x21...0x7e: String(Character(Unicode.Scalar(byte)))
                default: "\\" + String("00\(byte)".suffix(3))
                }
            }.joined()
        }.joined(separator: ".")
    }
}
