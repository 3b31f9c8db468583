package import BatonCore

/// Counts of openings whose items are gone.
package struct GoneUses: Sendable {
    /// The keys of the counts.
    package fileprivate(set) var keys: [RecordKey] = []
    /// The last count that was looked at; nil if there are no more counts.
    package fileprivate(set) var last: KeyHash?
}

extension SQLiteLane {
    /// Reads further counts of openings of items, at most `most`, and returns those whose items are gone.
    ///
    /// A count that is claimed arrived after its item, so a missing item was deleted or swept.
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

    /// Returns the item that a record counts; nil if it counts another thing, or a newer version wrote its name.
    private static func item(countedBy key: RecordKey) -> RecordIdentity? {
        do throws(CBORError) {
            let thing = try EngagementName(key).thing
            return thing.kind == .item ? thing : nil
        } catch {
            return nil
        }
    }
}
