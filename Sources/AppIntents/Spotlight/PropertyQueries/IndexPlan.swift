import BatonClient
import BatonCore

/// The part of a query by properties that the index answers.
struct IndexPlan {
    /// The query of the index; each entity with an item that fits the comparators matches it.
    let query: String
    /// Whether each entity that matches the query fits the comparators.
    let isExact: Bool
    /// The attributes by which the index sorts; nil if the index can't sort the results.
    let sorting: [QuerySort]?

    /// Plans a query; `names` has the properties of the comparators, and nil for those of other entities.
    init(
        ofType type: String, comparators: [IndexedComparator], names: [String?],
        mode: EntityQueryComparatorMode, sorting: [(name: String, isDescending: Bool)],
        properties: IndexedProperties
    ) {
        let conditions = zip(comparators, names).map { comparator, name in
            name.flatMap { properties[name: $0] }?.condition(comparator.kind, comparator.inputs) ?? .unknown
        }
        let condition = IndexedCondition.joined(conditions, by: mode)
        let base = Self.everyEntity(ofType: type)
        let query = condition.text.map { $0 == "*" ? base : "\(base) && (\($0))" } ?? base
        // A query beyond the limits, for example with a very long text, becomes a query for all entities.
        let isWithinLimits = Self.isWithinLimits(query)
        (self.query, isExact) = isWithinLimits ? (query, condition.isExact) : (base, false)
        let sorts = sorting.compactMap { sort in
            properties[name: sort.name].map { QuerySort($0.attribute, isDescending: sort.isDescending) }
        }
        self.sorting = sorts.count == sorting.count && sorts.count <= QuerySort.most ? sorts : nil
    }

    /// Returns the query for the items that were indexed for the entities of a type.
    ///
    /// The domain excludes items that the app made itself and associated with an entity: such an item has the app's own
    /// attributes, and not those of the entity's properties.
    static func everyEntity(ofType type: String) -> String {
        "domainIdentifier == \(QueryLiteral.text(EntityAssociation.domain(of: type)))"
    }

    private static func isWithinLimits(_ query: String) -> Bool {
        do throws(QueryFailure) {
            _ = try SearchQuery(query, at: .here)
            return true
        } catch {
            return false
        }
    }
}
