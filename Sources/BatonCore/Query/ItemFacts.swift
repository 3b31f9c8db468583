/// The facts of an item, and when it was indexed.
package struct ItemFacts: Equatable, Sendable {
    /// The facts in order, without repetitions.
    package private(set) var facts: [ItemFact] = []
    /// The time when the item was indexed; nil if its record has no such time, or if there are no facts.
    package private(set) var indexed: WallTime?

    /// Reads the facts of the item in a record.
    ///
    /// There are none if the record is not an item, or if the item is deleted.
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
                // A value that can't be read is skipped. One mistake of an app must not hide the rest of its item.
            }
        }
        guard !found.isEmpty else { return }
        facts =
            found.count > ItemFact.most
            ? [.other] : found.sorted { ($0.subject.number, $0.value) < ($1.subject.number, $1.value) }
        indexed = FoundItem.indexed(in: content.fields)
    }
}
