package import BatonCore

/// Counts of how often items were opened that are gone.
package struct GoneUses: Sendable {
    /// The keys of the counts.
    package fileprivate(set) var keys: [RecordKey] = []
    /// The last count that was looked at; nil if there are no more.
    package fileprivate(set) var last: KeyHash?
}

extension SQLiteLane {
    /// Looks at further counts of how often items were opened, at most this many, for those whose items are gone.
    ///
    /// A count that is claimed came after the item that it counts, so the item was here, and was deleted or swept.
    package func usesOfGoneItems(after hash: KeyHash?, most: Int) throws(StoreFailure) -> GoneUses {
        var gone = GoneUses()
        // An item may be in a batch that is not merged yet.
        guard lane == .index, !database.state.isMerging else { return gone }
        let uses = try database.tables.records.uses(after: hash, most: most)
        for (number, key) in uses {
            guard let thing = Self.item(countedBy: key), try !database.tables.records.exists(thing),
                let stored = try database.records.stored(number: number),
                stored.writes.allSatisfy({ database.state.claims.complete.covers($0.write.dot) })
            else { continue }
            gone.keys.append(key)
        }
        if uses.count == most { gone.last = uses.last?.key.identity.hash }
        return gone
    }

    /// Returns the item that a record counts; nil if it counts another thing, or has a name of a newer version.
    private static func item(countedBy key: RecordKey) -> RecordIdentity? {
        do throws(CBORError) {
            let thing = try EngagementName(key).thing
            return thing.kind == .item ? thing : nil
        } catch {
            return nil
        }
    }
}
