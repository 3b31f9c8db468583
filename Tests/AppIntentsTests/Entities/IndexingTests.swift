import AppIntents
import CoreSpotlight
import CoreSpotlightTesting
import Support
import Testing

/// A recipe in the index.
private struct Recipe: IndexedEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Recipe"
    static let defaultQuery = RecipeQuery()
    let id: Int
    let isHidden: Bool
    @Property(title: "Name", indexingKey: \.title) var name: String
    @DeferredProperty(title: "Cook", indexingKey: \.creator)
    var cook: String { get async throws { "Ann" } }
    var displayRepresentation: DisplayRepresentation { "\(name)" }
    var hideInSpotlight: Bool { isHidden }

    init(_ id: Int, isHidden: Bool = false) {
        (self.id, self.isHidden) = (id, isHidden)
        name = "Recipe \(id)"
    }
}

private struct RecipeQuery: EntityQuery {
    func entities(for identifiers: [Int]) async throws -> [Recipe] { identifiers.map { Recipe($0) } }
}

/// Returns the identifiers of the items that fit a query.
private func found(_ query: String = "title == \"Recipe*\"") async throws -> Set<String> {
    let query = CSSearchQuery(queryString: query, queryContext: nil)
    var identifiers: Set<String> = []
    for try await result in query.results { identifiers.insert(result.item.uniqueIdentifier) }
    return identifiers
}

/// The identifiers of the items of recipes.
private func items(_ recipes: Int...) -> Set<String> { Set(recipes.map { "AppEntity-Recipe/\($0)" }) }

@Suite struct `Indexing entities` {
    @Test func `adds, replaces, hides and deletes items on a node`() async {
        // In a process of its own, because a node is named by the environment.
        await #expect(processExitsWith: .success) {
            let node = try TemporaryNode()
            node.useInThisProcess()
            let index = CSSearchableIndex(name: "recipes")
            try await index.indexAppEntities((1...4).map { Recipe($0) })
            try await index.indexAppEntities([Track(id: "track")])
            #expect(try await found() == items(1, 2, 3, 4))
            #expect(try await found("creator == \"Ann\"") == items(1, 2, 3, 4))
            let changed = Recipe(1)
            changed.name = "Recipe of Ben"
            try await index.indexAppEntities([changed, Recipe(2, isHidden: true)], priority: 2)
            #expect(try await found() == items(1, 3, 4))
            #expect(try await found("title == \"Recipe of Ben\"") == items(1))
            try await index.deleteAppEntities(identifiedBy: [3, 7], ofType: Recipe.self)
            #expect(try await found() == items(1, 4))
            try await index.deleteAppEntities(ofType: Recipe.self)
            #expect(try await found().isEmpty)
            #expect(try await found("album == \"c\"").count == 1)
            try await index.deleteAppEntities(ofType: Track.self)
            #expect(try await found("album == \"c\"").isEmpty)
        }
    }
}
