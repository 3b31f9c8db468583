import BatonClient
package import BatonCore

/// A search for entities of the app by the items that are indexed for them.
package struct EntityItemSearch: Sendable {
    /// The name of the entities' type.
    private let type: String
    /// The query that the items match.
    private let query: String

    package init(ofType type: String, query: String) { (self.type, self.query) = (type, query) }

    /// Returns the entities with the first items in an order, and whether all items were found.
    ///
    /// `most` may be at most `Limits.foundItems`. Without an order, the items that were indexed last come first.
    package func first(_ most: Int, sortedBy sorting: [QuerySort]) async throws -> EntityItemPage {
        let service = IndexService.shared
        // Changes that an earlier process of the app left unsent are sent first, so that the search can find them.
        await withCheckedContinuation { continuation in
            service.writer.afterLeftovers { continuation.resume() }
        }
        let call = QueryItems(
            query, filter: SearchFilter(app: service.app, kind: .item), most: most, sorting: sorting,
            at: .here)
        do throws(LocalFailure) {
            let reply = try await service.client.ask(call)
            return EntityItemPage(
                entities(reply.results.compactMap { $0.thing.item?.entity }),
                isLast: reply.results.count < most, isWhole: reply.isWhole)
        } catch {
            throw CSSearchQueryError(error)
        }
    }

    /// Returns all entities in pages, in an order that the index chooses.
    package func pages() -> EntityItemPages {
        let service = IndexService.shared
        let attributes = [Activity.Entity.typeAttribute, Activity.Entity.identifierAttribute]
        let call = BeginSearch(
            QueryRun.nextNumber(),
            query: QueryItems(
                query, filter: SearchFilter(app: service.app, kind: .item), most: Limits.streamedResults,
                at: .here),
            order: .found, attributes: attributes)
        return EntityItemPages(QueryRun(call, service), of: self)
    }

    /// Returns the identifiers of entities of the type, each once.
    func entities(_ entities: [Activity.Entity]) -> [String] {
        var known: Set<String> = []
        return entities.filter { $0.type == type && known.insert($0.identifier).inserted }.map(\.identifier)
    }
}
