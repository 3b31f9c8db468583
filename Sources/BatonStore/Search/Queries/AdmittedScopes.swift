import BatonCore

/// Decides whether the items of a scope are searched and may meet a query.
struct AdmittedScopes {
    private let plan: QueryPlan
    /// The things that may be shown now.
    private(set) var scope: SearchScope
    /// A cache of the decisions, by the encoded scopes.
    private var verdicts: [[UInt8]: Bool] = [:]

    /// The most decisions in the cache, and the most scopes that are looked through to find records.
    static let most = 256

    init(_ plan: QueryPlan, _ scope: SearchScope) { (self.plan, self.scope) = (plan, scope) }

    /// Whether scopes may rule records out before more of the records is read.
    var ruleOut: Bool { plan.narrowsScopes || !scope.appsOff.isEmpty }

    /// Replaces the things that may be shown, and empties the cache.
    mutating func renew(_ scope: SearchScope) { (self.scope, verdicts) = (scope, [:]) }

    /// Whether the items of a scope are searched and may meet the query.
    mutating func admit(_ encoded: [UInt8], in rows: LaneRows) throws(StoreFailure) -> Bool {
        if let verdict = verdicts[encoded] { return verdict }
        let asked = try rows.scope(encoded)
        let verdict = plan.admits(asked) && scope.searchesApp(of: asked)
        if verdicts.count >= Self.most { verdicts = [:] }
        verdicts[encoded] = verdict
        return verdict
    }
}
