import BatonCore

/// Decides whether the items in a scope are searched and may meet a query.
struct AdmittedScopes {
    private let plan: QueryPlan
    /// Decides which things may be shown now.
    private(set) var scope: SearchScope
    /// A cache of the decisions.
    ///
    /// The keys are the encoded scopes.
    private var verdicts: [[UInt8]: Bool] = [:]

    /// The largest number of decisions in the cache, and of scopes that are read to find records.
    static let most = 256

    init(_ plan: QueryPlan, _ scope: SearchScope) { (self.plan, self.scope) = (plan, scope) }

    /// Whether the scope of a record may exclude the record before the rest of it is read.
    var ruleOut: Bool { plan.narrowsScopes || !scope.appsOff.isEmpty }

    /// Replaces the scope of the search, and empties the cache.
    mutating func renew(_ scope: SearchScope) { (self.scope, verdicts) = (scope, [:]) }

    /// Whether the items in a scope are searched and may meet the query.
    mutating func admit(_ encoded: [UInt8], in rows: LaneRows) throws(StoreFailure) -> Bool {
        if let verdict = verdicts[encoded] { return verdict }
        let asked = try rows.scope(encoded)
        let verdict = plan.admits(asked) && scope.searchesApp(of: asked)
        if verdicts.count >= Self.most { verdicts = [:] }
        verdicts[encoded] = verdict
        return verdict
    }
}
