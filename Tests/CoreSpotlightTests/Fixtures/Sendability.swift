@preconcurrency import CoreSpotlight

// Apps that move items between tasks vouch for them like this.

// One task at a time has the item.
extension CSSearchableItem: @retroactive @unchecked Sendable {}
// One task at a time has the attributes.
extension CSSearchableItemAttributeSet: @retroactive @unchecked Sendable {}
// Nothing changes a person once it was made.
extension CSPerson: @retroactive @unchecked Sendable {}

actor Store {
    private var items: [String: CSSearchableItem] = [:]

    func add(_ item: CSSearchableItem) { items[item.uniqueIdentifier] = item }
    func all() -> [CSSearchableItem] { Array(items.values) }
}

func fill(_ store: Store) async throws {
    let item = CSSearchableItem(
        uniqueIdentifier: "a", domainIdentifier: nil,
        attributeSet: CSSearchableItemAttributeSet(contentType: .text))
    await store.add(item)
    let titles = await Task.detached { await store.all().map { $0.attributeSet.title } }.value
    guard titles.isEmpty else { throw CSIndexError(.invalidItemError) }
}
