/// The entries of a service's TXT record.
///
/// Each entry has a short key and may have a value.
package struct ServiceEntries: Hashable, Sendable {
    /// A key and its value.
    package struct Entry: Hashable, Sendable {
        /// The key, which has ASCII characters from the space to `~`, except `=`.
        ///
        /// Upper and lower case are equal.
        package let key: String
        /// The value, which may have any bytes; nil if the entry has only a key.
        package let value: [UInt8]?

        package init(key: String, value: [UInt8]?) { (self.key, self.value) = (key, value) }
    }

    /// The entries, in their order.
    package let entries: [Entry]

    package init(_ entries: [Entry]) { self.entries = entries }

    /// Creates entries whose values are texts.
    package init(_ entries: KeyValuePairs<String, String>) {
        self.init(entries.map { Entry(key: $0.key, value: Array($0.value.utf8)) })
    }

    /// Returns the value of a key; nil if there is no such key, or if the key has no value.
    package subscript(key: String) -> [UInt8]? {
        let wanted = key.utf8.map(DNSName.fold)
        return entries.first { $0.key.utf8.map(DNSName.fold) == wanted }?.value
    }

    /// The strings of the TXT record; nil if a key has other characters than a key may have, or if an entry is too
    /// long.
    var strings: [[UInt8]]? {
        var strings: [[UInt8]] = []
        for entry in entries {
            let string = Array(entry.key.utf8) + (entry.value.map { [Self.equals] + $0 } ?? [])
            guard !entry.key.isEmpty, entry.key.utf8.allSatisfy(Self.isAllowed), string.count <= 255 else {
                return nil
            }
            strings.append(string)
        }
        // A TXT record must have at least one string.
        return strings.isEmpty ? [[]] : strings
    }

    /// Reads the entries from the strings of a TXT record.
    ///
    /// A string is ignored if it has no key, or if an earlier string has the same key.
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

    /// Returns whether a byte may be a character of a key.
    private static func isAllowed(_ byte: UInt8) -> Bool { (0x20...0x7e).contains(byte) && byte != equals }
}
