package import BatonCore

/// Computes the digest that a lane will have once all its clears are swept.
///
/// This runs on another thread than the sweeps.
///
/// Removing records takes much longer than reading them. The reader sees the state after one transaction, so neither
/// thread waits for the other.
package final class UnsweptDigest {
    private let reader: LaneReader
    private let stop: SearchStop

    /// The number of writes that are read between two checks of the stop.
    private static let atOnce = 500

    /// Opens a lane in the folder of a store.
    ///
    /// The stop can end the computation.
    package init(of lane: Lane, in folder: String, stop: SearchStop) throws(StoreFailure) {
        self.stop = stop
        reader = try LaneReader("\(folder)/\(lane).sqlite", lane: lane, fileSystem: nil)
    }

    /// Returns the digest at this time as if all clears were swept, and the number of writes that the sweeps have yet
    /// to visit.
    ///
    /// Returns nil while a batch is not merged completely, because some of its records are missing.
    package func digest(
        at time: WallTime
    ) throws(StoreFailure) -> (digest: StateDigest, toClear: Int)? {
        try reader.reading { () throws(StoreFailure) in
            guard try !reader.tables.batches.hasPending(), let progress = try reader.tables.progress.content()
            else { return nil }
            var digest = progress.digest
            let kept = progress.digestTime
            try reader.tables.records.visit(
                expiringAfter: min(kept, time), upTo: max(kept, time)
            ) { (writes) in
                let own = Record(merging: writes).digest
                if time > kept { digest -= own } else { digest += own }
            }
            let sweeps = try reader.tables.clears.sweeps()
            var toClear = 0
            for number in sweeps.indices {
                toClear += try visit(sweeps, number) { (stored) in
                    digest -= stored.raw.digest(at: time)
                    digest += stored.record.digest(at: time)
                }
            }
            return (digest, min(toClear, Unsettled.countMost))
        }
    }

    /// Visits each record that a sweep has yet to visit, unless an earlier sweep in the list visits it.
    ///
    /// Returns the number of writes that the sweep has yet to visit.
    private func visit(
        _ sweeps: [Sweep], _ number: Int, _ body: (StoredRecord) throws(StoreFailure) -> Void
    ) throws(StoreFailure) -> Int {
        let scope = sweeps[number].clear.scope
        var (after, count): (WriteTable.ScopePlace?, Int) = (sweeps[number].after, 0)
        // A record has several writes in a scope only if it has several counters. Such a record is visited once.
        var several: Set<Int64> = []
        while let place = after {
            guard stop.allows(0) else { throw StoreFailure(.failed, "the digest is not wanted any more") }
            let (records, last) = try reader.tables.writes.records(in: scope, after: place, most: Self.atOnce)
            for record in records {
                guard let stored = try reader.records.stored(number: record) else { continue }
                let places = stored.writes.compactMap(\.write.clearable?.scope)
                let isVisited = sweeps[..<number].contains { sweep in
                    places.contains { sweep.isYetToVisit($0, record) }
                }
                if isVisited || places.count > 1 && !several.insert(record).inserted { continue }
                try body(stored)
            }
            (after, count) = (last, count + records.count)
        }
        return count
    }
}

extension Sweep {
    /// Whether the sweep has yet to visit a write of a record in this scope.
    fileprivate func isYetToVisit(_ scope: Scope, _ record: Int64) -> Bool {
        guard scope.isWithin(clear.scope) else { return false }
        if scope.encoded == after.scope { return record > after.record }
        return after.scope.lexicographicallyPrecedes(scope.encoded)
    }
}
