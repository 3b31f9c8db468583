import BatonCore

/// The ranked items and activities that are about the same thing, the best first.
struct ThingGroup {
    let members: [RankedThing]

    /// Groups the items and activities that are about the same thing.
    ///
    /// The group with the best member comes first.
    static func groups(of things: [RankedThing]) -> [ThingGroup] {
        let ordered = things.sorted { $0.precedes($1) }
        return ThingNames.groups(ordered.map(\.names)).map { group in
            ThingGroup(members: group.map { ordered[$0] })
        }
    }
}
