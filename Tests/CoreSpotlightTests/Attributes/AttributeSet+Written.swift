import BatonCore
import CoreSpotlight

extension CSSearchableItemAttributeSet {
    /// The values that an index gets of an item with these attributes, by the names of their fields.
    func written(file: String = #fileID) throws -> [FieldName: PropertyValue] {
        let item = CSSearchableItem(uniqueIdentifier: "id", domainIdentifier: nil, attributeSet: self)
        let values = try item.replacement().attributes.entries.compactMap {
            entry -> (FieldName, PropertyValue)? in
            guard case .plain(let value) = entry.value else { return nil }
            return (entry.name, value)
        }
        return Dictionary(uniqueKeysWithValues: values)
    }
}

extension CSSearchableItem {
    /// The index of the tests.
    static let index = ClientStateName(app: "org.example.notes", index: "notes")

    /// A moment for indexing.
    static let moment = Date(timeIntervalSince1970: 1_700_000_000)

    /// The item that an index gets, which replaces another.
    func replacement() throws -> Item {
        guard case .item(uniqueIdentifier, let item) = try change(of: Self.index, at: Self.moment) else {
            throw NoReplacement()
        }
        return item
    }

    /// An error for a change that is no replacement.
    struct NoReplacement: Error {}
}
