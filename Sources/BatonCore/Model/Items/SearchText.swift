/// The searchable texts of an item, by the weight of a match in them.
package struct SearchText: Equatable, Sendable {
    /// The texts in the order of `columns`; the texts of several attributes are on lines of their own.
    package private(set) var texts = [String](repeating: "", count: columns.count)

    /// The weights of the texts, from highest to lowest.
    package static let columns: [SearchWeight] = SearchWeight.allCases.filter { $0 > .none }.reversed()

    /// The version of the choice of texts: an index that was built with another version has to be rebuilt.
    package static let version = 1

    /// Creates the texts of a record; nil unless the record is an existing item with searchable words.
    ///
    /// Sealed values, and values of the wrong type for their attribute, contribute nothing.
    package init?(_ record: Record) {
        guard record.identity.kind == .item, let content = record.content, ItemName(record) != nil else {
            return nil
        }
        for field in content.fields { add(field) }
        guard texts.contains(where: { !$0.isEmpty }) else { return nil }
    }

    /// The number of bytes of the texts.
    package var byteCount: Int { texts.reduce(0) { $0 + $1.utf8.count } }

    private mutating func add(_ field: Fields.Element) {
        guard case .number(let number) = field.name, let attribute = Attribute(number: number) else { return }
        let weight = attribute.weight
        guard weight > .none else { return }
        do throws(CBORError) {
            let value = try CBORReader.whole(field.value) { (reader) throws(CBORError) in
                try AttributeValue(from: &reader)
            }
            guard case .plain(let value) = value else { return }
            add(value, at: Self.columns.count - Int(weight.rawValue))
        } catch {
            // One mistake of an app must not hide the rest of its item.
        }
    }

    /// Adds the words of a value: texts in all their languages, and people by their names and handles.
    private mutating func add(_ value: PropertyValue, at column: Int) {
        switch value {
        case .string(let text):
            if !texts[column].isEmpty { texts[column] += "\n" }
            texts[column] += text
        case .array(let values):
            for value in values { add(value, at: column) }
        case .dictionary(let pairs):
            if value.isPerson {
                for field in [PersonField.displayName, PersonField.handles] {
                    if let value = pairs[field] { add(value, at: column) }
                }
            } else if value.isText {
                // Sorted by language, so that the order is the same in every process.
                let texts = pairs.compactMap { language, text in
                    language.string.flatMap { language in text.string.map { (language, $0) } }
                }
                for (_, text) in texts.sorted(by: { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }) {
                    add(.string(text), at: column)
                }
            }
        default: break
        }
    }
}

extension ItemName {
    /// Reads the name of an item's record; nil if the record is no item or can't be read.
    package init?(_ record: Record) {
        guard let key = record.key else { return nil }
        do throws(CBORError) { try self.init(key) } catch { return nil }
    }
}
