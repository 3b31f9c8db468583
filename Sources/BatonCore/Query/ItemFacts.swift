/// The facts of an item, and when it was indexed.
package struct ItemFacts: Equatable, Sendable {
    /// The facts in order, without repetitions.
    package private(set) var facts: [ItemFact] = []
    /// When the item was indexed; nil if its record does not say, or if there are no facts.
    package private(set) var indexed: WallTime?

    /// Reads the facts of a record; there are none unless the record is an item that is not deleted.
    package init(_ record: Record) {
        guard record.identity.kind == .item, let content = record.content, ItemName(record) != nil else {
            return
        }
        var found: [ItemFact] = []
        for field in content.fields where ItemFact.Subject(field.name, .number) != nil {
            do throws(CBORError) {
                let value = try CBORReader.whole(field.value) { (reader) throws(CBORError) in
                    try AttributeValue(from: &reader)
                }
                guard case .plain(let value) = value else { continue }
                _ = value.hasSingle { single in
                    if let fact = ItemFact(single, of: field.name), !found.contains(fact) {
                        found.append(fact)
                    }
                    return found.count > ItemFact.most
                }
            } catch {
                // Skip a value that can't be read: one mistake of an app must not hide the rest of its item.
            }
        }
        guard !found.isEmpty else { return }
        facts =
            found.count > ItemFact.most
            ? [.other] : found.sorted { ($0.subject.number, $0.value) < ($1.subject.number, $1.value) }
        indexed = FoundItem.indexed(in: content.fields)
    }
}
