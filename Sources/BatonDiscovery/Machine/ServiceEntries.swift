/// The entries of a service's TXT record: short keys with values.
package struct ServiceEntries: Hashable, Sendable {
    /// A key and its value.
    package struct Entry: Hashable, Sendable {
        /// Visible ASCII characters except `=`; case does not count.
        package let key: String
        /// Any bytes; nil for a key that stands alone.
        package let value: [UInt8]?

        package init(key: String, value: [UInt8]?) { (self.key, self.value) = (key, value) }
    }

    /// The entries, in their order.
    package let entries: [Entry]

    package init(_ entries: [Entry]) { self.entries = entries }

    /// Makes entries whose values are text.
    package init(_ entries: KeyValuePairs<String, String>) {
        self.init(entries.map { Entry(key: $0.key, value: Array($0.value.utf8)) })
    }

    /// Returns the value of a key; nil if there is no such key, or no value.
    package subscript(key: String) -> [UInt8]? {
        let wanted = key.utf8.map(DNSName.fold)
        return entries.first { $0.key.utf8.map(DNSName.fold) == wanted }?.value
    }

    /// The strings of the TXT record; nil if a key is not made of the right characters, or an entry is too long.
    var strings: [[UInt8]]? {
        var strings: [[UInt8]] = []
        for entry in entries {
            let string = Array(entry.key.utf8) + (entry.value.map { [Self.equals] + $0 } ?? [])
            guard !entry.key.isEmpty, entry.key.utf8.allSatisfy(Self.isAllowed), string.count <= 255 else {
                return nil
            }
            strings.append(string)
        }
        // There is no TXT record without a string.
        return strings.isEmpty ? [[]] : strings
    }

    /// Reads the strings of a TXT record; strings without a key, and strings that repeat a key, are left out.
    init(strings: [[UInt8]]) {
        var entries: [Entry] = []
        var keys: Set<[UInt8]> = []
        for string in strings {
            let key = string.prefix { $0 != Self.equals }
            guard !key.isEmpty, key.allSatisfy(Self.isAllowed), keys.insert(key.map(DNSName.fold)).inserted
            else { continue }
            let value = key.count < string.count ? Array(string[(key.count + 1)...]) : nil
            entries.append(Entry(key: String(decoding: key, as: UTF8.self), value: value))
        }
        self.init(entries)
    }

    private static let equals = UInt8(ascii: "=")

    /// Returns whether a byte may stand in a key.
    private static func isAllowed(_ byte: UInt8) -> Bool { (0x20...0x7e).contains(byte) && byte != equals }
}
