import BatonCore

/// The matches of a query that are about the same thing, the best first.
struct QueryGroup {
    let members: [QueryMatch]

    /// Groups the matches that are about the same thing.
    ///
    /// The group with the best match comes first.
    ///
    /// Activities are grouped with each other and with the item that they are about. Two items are never in the same
    /// group, because the app that makes the query expects each item.
    static func groups(of found: [QueryMatch]) -> [QueryGroup] {
        guard found.contains(where: \.isActivity) else { return found.map { QueryGroup(members: [$0]) } }
        var groups: [(place: Int, members: [Int])] = []
        for group in ThingNames.groups(found.compactMap(\.names)) {
            let items = group.filter { !found[$0].isActivity }
            let joined = group.filter { found[$0].isActivity || $0 == items.first }
            groups.append((joined[0], joined))
            groups += items.dropFirst().map { ($0, [$0]) }
        }
        return groups.sorted { $0.place < $1.place }.map { group in
            QueryGroup(members: group.members.map { found[$0] })
        }
    }

    /// Returns the members as they are now.
    ///
    /// A member that no longer meets the query is left out.
    func shown(
        by matcher: QueryMatcher, hasChanged: Bool, _ work: inout QueryWork
    ) throws(StoreFailure) -> [ShownThing] {
        var shown: [ShownThing] = []
        for member in members {
            if let result = try matcher.shown(member, hasChanged: hasChanged, &work) { shown.append(result) }
        }
        return shown
    }
}
