import BatonCore

/// Ranked items and activities about one thing, the best first.
struct ThingGroup {
    let members: [RankedThing]

    /// Groups things about the same thing; the best group comes first.
    static func groups(of things: [RankedThing]) -> [ThingGroup] {
        let ordered = things.sorted { $0.precedes($1) }
        return ThingNames.groups(ordered.map(\.names)).map { group in
            ThingGroup(members: group.map { ordered[$0] })
        }
    }
}
