/// The searchable texts of an item or an activity, grouped by their search weight.
package struct SearchText: Equatable, Sendable {
    /// One text for each weight, in the order of `columns`.
    ///
    /// If several attributes have the same weight, each of their texts is on a line of its own.
    package private(set) var texts = [String](repeating: "", count: columns.count)

    /// The weights of the texts, from highest to lowest.
    package static let columns: [SearchWeight] = SearchWeight.allCases.filter { $0 > .none }.reversed()

    /// The version of the rules that choose the texts.
    ///
    /// An index that was built with another version must be rebuilt.
    package static let version = 2

    /// Creates the texts of a record; nil if it is no item, if it was deleted, or if it has no searchable text.
    ///
    /// Sealed values are left out. A value of the wrong type for its attribute is searched if it contains texts.
    package init?(_ record: Record) {
        guard record.identity.kind == .item, let content = record.content, ItemName(record) != nil else {
            return nil
        }
        self.init(content.fields)
    }

    /// Creates the texts of an item with these fields; nil if it has no searchable text.
    package init?(_ fields: Fields) {
        add(fields)
        guard texts.contains(where: { !$0.isEmpty }) else { return nil }
    }

    /// Creates the texts of an activity; nil if it has no searchable text.
    package init?(_ activity: Activity) {
        add(activity.title, to: .title)
        add(activity.attributes.fields)
        let keywords = activity.keywords.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for keyword in keywords { add(keyword, to: .keywords) }
        // The address is added without its scheme, because nobody searches for `https`.
        add(activity.webpage.map(Self.withoutScheme), to: .body)
        guard texts.contains(where: { !$0.isEmpty }) else { return nil }
    }

    private static func withoutScheme(_ address: String) -> String {
        guard let colon = address.utf8.firstIndex(of: UInt8(ascii: ":")),
            address[colon...].utf8.starts(with: "://".utf8)
        else { return address }
        return String(address[colon...])
    }

    private mutating func add(_ text: String?, to weight: SearchWeight) {
        guard let text, !text.isEmpty else { return }
        let column = Self.columns.count - Int(weight.rawValue)
        if !texts[column].isEmpty { texts[column] += "\n" }
        texts[column] += text
    }

    /// The beginning of the texts, the highest weight first.
    ///
    /// The program that computes vectors of meanings gets this text (`Embedding`).
    package var meaning: String {
        texts.filter { !$0.isEmpty }.joined(separator: "\n").beginning(bytes: Limits.meaningBytes)
    }

    /// The total length of the texts in bytes.
    package var byteCount: Int { texts.reduce(0) { $0 + $1.utf8.count } }

    private mutating func add(_ fields: Fields) {
        fields.visit(where: { Attribute(number: $0).map { $0.weight > .none } ?? false }) { number, value in
            guard let weight = Attribute(number: number)?.weight else { return }
            Fields.plain(value)?.visitTexts { add($0, to: weight) }
        }
    }
}

extension ItemName {
    /// Reads the name of an item from its record; nil if the record is not an item or can't be read.
    package init?(_ record: Record) {
        guard let key = record.key else { return nil }
        do throws(CBORError) { try self.init(key) } catch { return nil }
    }
}
