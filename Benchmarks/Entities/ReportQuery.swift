import AppIntents
import Foundation

/// A query that the index answers.
struct ReportQuery: EntityPropertyQuery {
    typealias Entity = ReportEntity
    typealias ComparatorMappingType = IndexedComparator

    static let properties = QueryProperties {
        Property(\ReportEntity.$title) { ContainsComparator() }
        Property(\ReportEntity.$author) { EqualToComparator() }
        Property(\ReportEntity.$keywords) { ContainsComparator() }
        Property(\ReportEntity.$pages) {
            GreaterThanComparator()
            IsBetweenComparator()
        }
        Property(\ReportEntity.$created) { GreaterThanOrEqualToComparator() }
        Property(\ReportEntity.$due) { LessThanComparator() }
        Property(\ReportEntity.$reference) { EqualToComparator() }
    }

    static let sortingOptions = SortingOptions {
        SortableBy(\ReportEntity.$pages)
        SortableBy(\ReportEntity.$created)
    }

    func entities(for identifiers: [Int]) async throws -> [ReportEntity] {
        let reports = ReportShelf.reports
        return identifiers.compactMap { reports[$0] }
    }

    /// A measured query: its conditions, and the same in SQL.
    struct Measured: Sendable {
        let name: String
        let conditions: [EntityQueryCondition]
        let sort: String
        let order: EntityQuerySort<ReportEntity>.Ordering
        let sql: String
    }

    /// The measured queries; each sorts by the date of creation, which no two reports share.
    static let measured = [
        Measured(
            name: "range of numbers",
            conditions: [condition("pages", .isBetween, .integer(990), .integer(999))], sort: "created",
            order: .ascending, sql: "pages BETWEEN 990 AND 999 ORDER BY created"),
        Measured(
            name: "author", conditions: [condition("author", .equalTo, .text("name12"))], sort: "created",
            order: .descending, sql: "author = 'name12' ORDER BY created DESC"),
        Measured(
            name: "custom key", conditions: [condition("reference", .equalTo, .text("case 4711"))],
            sort: "created", order: .ascending, sql: "reference = 'case 4711' ORDER BY created"),
        Measured(
            name: "author and number",
            conditions: [
                condition("author", .equalTo, .text("name7")),
                condition("pages", .greaterThan, .integer(500)),
            ], sort: "created", order: .descending,
            sql: "author = 'name7' AND pages > 500 ORDER BY created DESC"),
        Measured(
            name: "keyword", conditions: [condition("keywords", .contains, .text("budget"))], sort: "created",
            order: .ascending,
            sql: """
                identifier IN (SELECT identifier FROM keywords WHERE keyword = 'budget') ORDER BY created
                """),
        Measured(
            name: "without a condition", conditions: [], sort: "created", order: .descending,
            sql: "true ORDER BY created DESC"),
    ]

    private static func condition(
        _ property: String, _ kind: EntityQueryComparisonKind, _ inputs: _IntentValueContent...
    ) -> EntityQueryCondition { EntityQueryCondition(property: property, kind: kind, inputs: inputs) }
}
