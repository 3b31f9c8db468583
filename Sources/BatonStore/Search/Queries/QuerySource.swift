import BatonCore

/// The rows from which the candidates of a query come, and the place after which the next candidates are read.
enum QuerySource {
    /// The records with the words of an FTS5 expression.
    case words(String, after: Int64)
    /// Records that are known by their numbers.
    case found([Int64])
    /// The records in scopes that may have an item that meets the query.
    case scopes(after: WriteTable.ScopePlace)
    /// The records with certain facts, the latest indexed first.
    case listed([FactTable.Candidate])
    /// All items.
    case items(after: Int64)

    /// The source that needs neither words nor facts: the scopes that may have an item, or all items.
    static func widest(_ plan: QueryPlan) -> QuerySource {
        plan.narrowsScopes ? .scopes(after: (plan.outermost.encoded, .min)) : .items(after: .min)
    }
}
