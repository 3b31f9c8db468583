package import BatonCore

/// The counts of openings whose items no longer exist.
package struct GoneUses: Sendable {
    /// The keys of these counts.
    package fileprivate(set) var keys: [RecordKey] = []
    /// The hash of the last count that was read; nil if there are no more counts.
    package fileprivate(set) var last: KeyHash?
}

extension SQLiteLane {
    /// Reads the counts of openings that follow `hash`, and returns those whose items no longer exist.
    ///
    /// It reads at most `most` counts.
    ///
    /// A claimed count arrived after its item. So if the item is missing, it was deleted or swept.
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

    /// Returns the item whose openings a record counts.
    ///
    /// Returns nil if the record counts openings of an activity, or if a newer version of Baton wrote its name.
    private static func item(countedBy key: RecordKey) -> RecordIdentity? {
        do throws(CBORError) {
            let thing = try EngagementName(key).thing
            return thing.kind == .item ? thing : nil
        } catch {
            return nil
        }
    }
}
