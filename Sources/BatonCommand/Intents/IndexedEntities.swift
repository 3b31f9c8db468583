package import BatonClient
package import BatonCore

/// Finds the entities of an app in the index, for the values of parameters.
package struct IndexedEntities {
    private let app: IntentManifest
    private let ask: (QueryItems) throws(LocalFailure) -> SearchReply

    /// Finds entities of an app; the closure makes a query.
    package init(
        of app: IntentManifest, asking ask: @escaping (QueryItems) throws(LocalFailure) -> SearchReply
    ) { (self.app, self.ask) = (app, ask) }

    /// Returns the identifier of the entity that a person named by its identifier or its title.
    ///
    /// A text that names no entity in the index is returned as it is. Throws if several entities have the title.
    func identifier(for text: String, ofType name: String?, at present: PresentTime) throws(LocalFailure)
        -> String
    {
        guard let type = type(named: name) else { return text }
        if let found = found(EntitySearch(of: type, identifiedBy: text), at: present)?.first {
            return found.identifier
        }
        guard let found = found(EntitySearch(of: type, titled: text, most: 10), at: present) else {
            return text
        }
        return try type.single(among: found, named: text)?.identifier ?? text
    }

    /// Returns all entities of a type, those that were indexed last first; none if there are too many for a list.
    func choices(ofType name: String?, at present: PresentTime) throws(LocalFailure) -> [DeclaredCase] {
        guard let type = type(named: name) else { return [] }
        let search = try EntitySearch(of: type, where: nil, most: Self.choicesMost + 1, at: present)
        let found = found(search, at: present) ?? []
        guard found.count <= Self.choicesMost else { return [] }
        return found.map { DeclaredCase(name: $0.identifier, title: $0.result.thing.title ?? $0.identifier) }
    }

    /// The most entities that a list offers.
    private static let choicesMost = 200

    private func type(named name: String?) -> InstalledIntents.EntityType? {
        name.flatMap { app.entity(named: $0) }.flatMap {
            $0.isIndexed ? InstalledIntents.EntityType(app: app, entity: $0) : nil
        }
    }

    /// Returns what a search finds; nil if the node does not answer.
    private func found(_ search: EntitySearch, at present: PresentTime) -> [FoundEntity]? {
        do throws(LocalFailure) {
            return search.found(try ask(search.call(at: present)))
        } catch {
            // A program performs intents without a node, too. Then it gets the text as the person typed it.
            return nil
        }
    }
}

extension InstalledIntents.EntityType {
    /// Returns the only entity among those with a title; nil if there is none.
    ///
    /// Throws a failure that lists the identifiers if there are several.
    package func single(among found: [FoundEntity], named name: String) throws(LocalFailure) -> FoundEntity? {
        guard found.count > 1 else { return found.first }
        let identifiers = InstalledIntents.list(found.map(\.identifier))
        throw LocalFailure(
            .notFound,
            "Several \(entity.title) are called “\(VisibleText(name).text)”.\nUse the ID of one: \(identifiers)."
        )
    }
}
