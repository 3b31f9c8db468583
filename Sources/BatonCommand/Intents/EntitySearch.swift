import BatonClient
package import BatonCore

/// A search for entities of a type in the index, by conditions on their properties.
package struct EntitySearch: Equatable, Sendable {
    package let type: InstalledIntents.EntityType
    private let query: String
    private let sorting: [QuerySort]
    private let most: Int

    /// Describes a search; `sorts` has names of properties, and a hyphen before a name sorts downwards.
    package init(
        of type: InstalledIntents.EntityType, where condition: String?, sortedBy sorts: [String] = [],
        most: Int, at present: PresentTime
    ) throws(LocalFailure) {
        let entity = type.entity
        guard entity.isIndexed else {
            throw LocalFailure(
                .notFound,
                "\(VisibleText(type.app.label).text) does not index entities of the type \(entity.name), so they can't be found."
            )
        }
        let properties = entity.queried
        var rewritten: PropertyQuery?
        if let condition {
            let query = try PropertyQuery(condition, of: entity.name, with: properties)
            try query.check(condition, at: present)
            rewritten = query
        }
        self.type = type
        query = PropertyQuery.query(ofType: entity.name, where: rewritten)
        sorting = try Self.sorting(sorts, of: entity)
        self.most = most
    }

    /// Describes the search for an entity by its identifier.
    package init(of type: InstalledIntents.EntityType, identifiedBy identifier: String) {
        self.init(
            type, "\(Activity.Entity.identifierAttribute) == \(QueryLiteral.text(identifier))", most: 1)
    }

    /// Describes the search for entities with a title, or with a title that begins with the text.
    package init(
        of type: InstalledIntents.EntityType, titled title: String, isBeginning: Bool = false, most: Int
    ) {
        self.init(type, "title == \(QueryLiteral.text(title, endsOpen: isBeginning))cd", most: most)
    }

    private init(_ type: InstalledIntents.EntityType, _ condition: String, most: Int) {
        self.type = type
        query = PropertyQuery.query(ofType: type.entity.name, where: nil) + " && (\(condition))"
        (sorting, self.most) = ([], most)
    }

    /// Returns the attributes of the properties by which results are sorted.
    private static func sorting(
        _ sorts: [String], of entity: DeclaredEntity
    ) throws(LocalFailure) -> [QuerySort] {
        guard sorts.count <= QuerySort.most else {
            throw LocalFailure(.usage, "--sort may be given at most \(QuerySort.most) times.")
        }
        return try sorts.map { (sort) throws(LocalFailure) in
            let isDescending = sort.hasPrefix("-")
            let name = isDescending ? String(sort.dropFirst()) : sort
            guard let property = entity.property(named: name) else {
                let names = entity.properties.filter { $0.attribute != nil }.map(\.name)
                let advice =
                    Suggestion.nearest(to: name, among: names).map { "Did you mean \($0)?" }
                    ?? "Its properties are: \(InstalledIntents.list(names))."
                throw LocalFailure(
                    .usage, "\(entity.name) has no property “\(VisibleText(name).text)”. \(advice)")
            }
            guard let attribute = property.attribute else {
                throw LocalFailure(.usage, PropertyQuery.notIndexed(name))
            }
            return QuerySort(attribute, isDescending: isDescending)
        }
    }

    /// The call that makes the search.
    package func call(at present: PresentTime) -> QueryItems {
        QueryItems(
            query, filter: SearchFilter(app: type.app.app, kind: .item), most: most, sorting: sorting,
            at: present)
    }

    /// Returns the entities among the results, in their order, each once.
    ///
    /// Several items can be about one entity; the first of these items stands for it.
    package func found(_ reply: SearchReply) -> [FoundEntity] {
        var known: Set<String> = []
        return reply.results.compactMap { FoundEntity($0, ofType: type.entity.name) }.filter {
            known.insert($0.identifier).inserted
        }
    }
}
