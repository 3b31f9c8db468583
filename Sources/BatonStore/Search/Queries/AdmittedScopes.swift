import BatonCore

/// Says of scopes whether their items are searched and may meet a query.
struct AdmittedScopes {
    private let plan: QueryPlan
    /// The things that may be shown now.
    private(set) var scope: SearchScope
    /// The scopes that were asked about, by their bytes.
    private var verdicts: [[UInt8]: Bool] = [:]

    /// The most scopes whose verdict is remembered, and the most that are looked through to find records.
    static let most = 256

    init(_ plan: QueryPlan, _ scope: SearchScope) { (self.plan, self.scope) = (plan, scope) }

    /// Whether scopes may rule records out, before more is read of them.
    var ruleOut: Bool { plan.narrowsScopes || !scope.appsOff.isEmpty }

    /// Goes on with the things that may be shown now.
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
