/// What of an item is found by its words: its texts, by how much a find in them counts.
package struct SearchText: Equatable, Sendable {
    /// The texts in the order of `columns`, each with those of several attributes in lines of their own.
    package private(set) var texts = [String](repeating: "", count: columns.count)

    /// The weights of the texts, from most to least.
    package static let columns: [SearchWeight] = SearchWeight.allCases.filter { $0 > .none }.reversed()

    /// Counts the ways in which texts were chosen: an index that was made in another one has to be made again.
    package static let version = 1

    /// The texts of a record, if it is an item that is there and says anything in words.
    ///
    /// What is sealed, and what is no value of its attribute, says nothing.
    package init?(_ record: Record) {
        guard record.identity.kind == .item, let content = record.content, ItemName(record) != nil else {
            return nil
        }
        for field in content.fields { add(field) }
        guard texts.contains(where: { !$0.isEmpty }) else { return nil }
    }

    /// How many bytes the texts have.
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

    /// Adds what a value says in words: texts, in all their languages, and people by their names and handles.
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
                // In the order of their languages, the same in every process.
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
    /// The name of an item's record, if it can be read as one.
    package init?(_ record: Record) {
        guard let key = record.key else { return nil }
        do throws(CBORError) { try self.init(key) } catch { return nil }
    }
}
