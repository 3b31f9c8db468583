import BatonCore

/// The pages of a search for entities.
///
/// The search ends when the object is released.
package final class EntityItemPages: Sendable {
    private let run: QueryRun
    private let search: EntityItemSearch

    init(_ run: QueryRun, of search: EntityItemSearch) { (self.run, self.search) = (run, search) }

    deinit { run.cancel() }

    /// Returns the next page; nil if there are no more items.
    ///
    /// An entity can be on several pages if several indexes of the app have an item for the entity.
    package func next() async throws -> EntityItemPage? {
        guard let found = try await run.next() else { return nil }
        let isFull = found.last.map { $0.rank + 1 >= Limits.streamedResults } ?? false
        return EntityItemPage(
            search.entities(found.compactMap { Activity.Entity($0.attributes) }), isLast: false,
            isWhole: run.isWhole && !isFull)
    }
}
