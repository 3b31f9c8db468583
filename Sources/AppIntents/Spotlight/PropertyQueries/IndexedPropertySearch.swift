import BatonCore
import CoreSpotlight

/// Answers a query by properties: the index finds identifiers, and the app's query gives the entities.
struct IndexedPropertySearch<Query: EntityQuery> where Query.Entity: IndexedEntity {
    typealias Entity = Query.Entity

    private let query: Query
    private let comparators: [IndexedComparator]
    private let mode: EntityQueryComparatorMode
    private let sorts: [EntityQuerySort<Entity>]
    private let limit: Int

    init(
        _ query: Query, _ comparators: [IndexedComparator], _ mode: EntityQueryComparatorMode,
        _ sorts: [EntityQuerySort<Entity>], limit: Int?
    ) {
        (self.query, self.comparators, self.mode, self.sorts) = (query, comparators, mode, sorts)
        self.limit = max(0, limit ?? .max)
    }

    private var type: String { Entity.persistentIdentifier }

    /// Returns the entities that fit, in order.
    func entities() async throws -> [Entity] {
        guard limit > 0, let sample = try await sample() else { return [] }
        let names = comparators.map { $0.name(in: sample) }
        let sorting = try sorts.map {
            (name: try name(of: $0, in: sample), isDescending: $0.order == .descending)
        }
        let plan = IndexPlan(
            ofType: type, comparators: comparators, names: names, mode: mode, sorting: sorting,
            properties: .all(ofTypeOf: sample))
        let search = EntityItemSearch(ofType: type, query: plan.query)
        let filter = EntityFilter(
            comparators: comparators, names: names, mode: mode, isNeeded: !plan.isExact)
        if limit <= Limits.foundItems, let order = plan.sorting,
            let found = try await first(search, order, plan, filter)
        {
            return found
        }
        return try await all(search, filter, sorting)
    }

    // MARK: Finding

    /// Returns the first entities in the order of the index; nil if the index did not find enough entities at once.
    private func first(
        _ search: EntityItemSearch, _ order: [QuerySort], _ plan: IndexPlan, _ filter: EntityFilter
    ) async throws -> [Entity]? {
        // Some of the items may be dropped by the filter, so further items are found with them.
        let most = plan.isExact ? limit : Limits.foundItems
        let page = try await search.first(most, sortedBy: order)
        guard page.isWhole else { throw IndexedQueryError.incomplete(type: type) }
        var (found, rest) = ([Entity](), page.identifiers[...])
        while found.count < limit, !rest.isEmpty {
            let next = rest.prefix(limit)
            rest = rest.dropFirst(next.count)
            found += try await filter.fitting(try await fetch(next))
        }
        return found.count >= limit || page.isLast ? Array(found.prefix(limit)) : nil
    }

    /// Returns the entities among all that match the query of the index; they are sorted here.
    private func all(
        _ search: EntityItemSearch, _ filter: EntityFilter, _ sorting: [(name: String, isDescending: Bool)]
    ) async throws -> [Entity] {
        let pages = search.pages()
        var (found, count, known) = ([Entity](), 0, Set<String>())
        while let page = try await pages.next() {
            count += page.identifiers.count
            guard page.isWhole else {
                throw count < Limits.streamedResults
                    ? IndexedQueryError.incomplete(type: type) : IndexedQueryError.tooMany(type: type)
            }
            found += try await filter.fitting(
                try await fetch(page.identifiers.filter { known.insert($0).inserted }[...]))
            if sorting.isEmpty, found.count >= limit { break }
        }
        return Array(try await sorted(found, sorting).prefix(limit))
    }

    /// Returns the app's entities with these identifiers, in this order.
    private func fetch(_ identifiers: ArraySlice<String>) async throws -> [Entity] {
        let wanted = identifiers.compactMap { Entity.ID.entityIdentifier(for: $0) }
        guard !wanted.isEmpty else { return [] }
        let entities = try await query.entities(for: wanted)
        let given = Dictionary(entities.map { ($0.id, $0) }) { first, _ in first }
        return wanted.compactMap { given[$0] }
    }

    /// Sorts entities as the index does.
    private func sorted(
        _ entities: [Entity], _ sorting: [(name: String, isDescending: Bool)]
    ) async throws -> [Entity] {
        guard !sorting.isEmpty else { return entities }
        var keyed: [(entity: Entity, keys: [SortKey])] = []
        for entity in entities {
            let contents = try await EntityContents(of: entity)
            keyed.append((entity, sorting.map { contents[$0.name].sortKey }))
        }
        keyed.sort { one, other in
            for (place, sort) in sorting.enumerated() {
                let isBefore = one.keys[place].precedes(other.keys[place], isDescending: sort.isDescending)
                if let isBefore { return isBefore }
            }
            return false
        }
        return keyed.map(\.entity)
    }

    // MARK: Names

    /// Returns an entity of the type: one that the app has indexed, or else one that is in the index and exists here.
    private func sample() async throws -> Entity? {
        if let known = EntitySamples.shared.sample(of: Entity.self) as? Entity { return known }
        let pages = EntityItemSearch(ofType: type, query: IndexPlan.everyEntity(ofType: type)).pages()
        while let page = try await pages.next() {
            guard let found = try await fetch(page.identifiers[...]).first else { continue }
            EntitySamples.shared.note(found)
            return found
        }
        return nil
    }

    /// Returns the name of the property by which a sort orders the results.
    private func name(of sort: EntityQuerySort<Entity>, in sample: Entity) throws -> String {
        guard let property = sample[keyPath: sort.by] as? any AnyEntityProperty,
            let name = EntityReflection.name(of: property, in: sample)
        else { throw EntityQueryError.notSortable("\(sort.by)") }
        return name
    }
}
