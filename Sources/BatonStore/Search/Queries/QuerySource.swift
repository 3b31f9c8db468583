import BatonCore

/// The source of the candidates of a query, and the place after which the next candidates are read.
enum QuerySource {
    /// The records whose words match an FTS5 expression.
    case words(String, after: Int64)
    /// A list of the numbers of records.
    case found([Int64])
    /// The records in the scopes that the plan does not exclude.
    case scopes(after: WriteTable.ScopePlace)
    /// The records with certain facts, in the order of indexing, the latest first.
    case listed([FactTable.Candidate])
    /// All items.
    case items(after: Int64)

    /// Returns the source that needs neither words nor facts: the records in the scopes that are not excluded, or all
    /// items.
    static func widest(_ plan: QueryPlan) -> QuerySource {
        plan.narrowsScopes ? .scopes(after: (plan.outermost.encoded, .min)) : .items(after: .min)
    }
}
