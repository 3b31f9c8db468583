package import BatonCore

/// One lane of an `InMemoryStore`: its records, and their surviving writes in the order of arrival.
package struct InMemoryLane: Equatable, Sendable {
    /// Records of which something is left.
    package private(set) var records: [RecordIdentity: Record] = [:]
    var complete = VersionVector()
    /// What covers all traces that were let go.
    var dropped = VersionVector()
    /// How far the snapshots of peers came.
    var snapshots: [DeviceIdentifier: SnapshotProgress] = [:]
    /// Lives of this device.
    private(set) var ownLives: Set<Life> = []
    /// The last place that was ever given out, also if nothing stands there any more.
    private(set) var head = Arrival.none
    private var clears = Clears()
    private var journal: [Entry] = []

    /// A surviving write and where it stands.
    private struct Entry: Equatable, Sendable {
        let arrival: Arrival
        var write: Write
    }

    let lane: Lane

    package init(_ lane: Lane = .index) { self.lane = lane }

    /// Merges writes and claims; answers with the records that changed, in the order of identities.
    mutating func commit(_ transaction: StoreTransaction, clock: inout HybridTime) -> [Record] {
        var changed: [RecordIdentity: Record] = [:]
        if transaction.isOwn { for write in transaction.writes { ownLives.insert(write.dot.origin.life) } }
        if let range = transaction.range {
            for record in remove(range, sent: transaction.writes) { changed[record.identity] = record }
        }
        for write in transaction.writes where !complete.covers(write.dot) {
            for record in merge(write) { changed[record.identity] = record }
        }
        complete.claim(transaction.completing)
        clock = max(clock, transaction.clock)
        if let range = transaction.range {
            for record in renew(range, sent: transaction.writes, clock: &clock) {
                changed[record.identity] = record
            }
            keepProgress(range, transaction.resume)
        } else if let peer = transaction.resume?.peer, !transaction.completing.isEmpty {
            snapshots[peer] = nil
        }
        return changed.values.sorted { $0.identity < $1.identity }
    }

    /// Merges one write, and lets a clear have its effect; answers with the records that changed.
    @discardableResult
    package mutating func merge(_ arriving: Write) -> [Record] {
        guard let write = clears.remains(of: arriving) else { return [] }
        var record = records[write.identity] ?? Record(write.identity)
        guard record.merge(write) else { return [] }
        keep(record, after: write)
        guard let clear = record.clear else { return [record] }
        clears.add(clear)
        var changed = [record]
        for var other in records.values where other.clear(clear) {
            keep(other, after: nil)
            changed.append(other)
        }
        return changed
    }

    /// What survives of a record keeps its place, and the write that changed it gets a new one.
    mutating func keep(_ record: Record, after write: Write?) {
        var arriving = record.survivingWrites
        records[record.identity] = arriving.isEmpty ? nil : record
        journal = journal.compactMap { entry in
            guard entry.write.identity == record.identity else { return entry }
            guard write?.isSame(as: entry.write) != true,
                let place = arriving.firstIndex(where: { $0.isSame(as: entry.write) }),
                // What another write ended has to be told to peers who have read it already.
                write == nil || arriving[place].isFull || !entry.write.isFull
            else { return nil }
            return Entry(arrival: entry.arrival, write: arriving.remove(at: place))
        }
        for write in arriving { append(write) }
    }

    private mutating func append(_ write: Write) {
        head = Arrival(value: head.value + 1)
        journal.append(Entry(arrival: head, write: write))
    }

    /// The record of a clear is gone.
    mutating func forget(_ clear: Clear) { clears.remove(clear) }

    // MARK: Queries

    /// The clears that arrived after a place.
    func clears(since place: Arrival?) -> [Write] {
        guard let place else { return [] }
        return journal.filter { $0.arrival > place && $0.write.identity.kind.isClear }.map(\.write)
    }

    /// What stands, in the order in which it arrived.
    package var survivingWrites: [Write] { journal.map(\.write) }

    /// The sum over the records that are there, but for those that have expired at that time.
    package func digest(at time: WallTime) -> StateDigest {
        records.values.reduce(into: StateDigest()) { sum, record in
            if record.expiration.map({ $0 > time }) ?? true { sum += record.digest }
        }
    }

    /// Whether a write is there, or was overwritten, deleted or cleared by what is.
    func reflects(_ write: Write) -> Bool {
        var copy = self
        return copy.merge(write).isEmpty
    }

    /// Up to where everything is claimed.
    var settled: Arrival {
        guard let open = journal.first(where: { !complete.covers($0.write.dot) }) else { return head }
        return Arrival(value: open.arrival.value - 1)
    }

    func changes(_ request: ChangesRequest) -> ChangesAnswer {
        guard dropped.isWithin(request.covered) else { return .snapshotNeeded }
        var (writes, bytes, next): ([Write], Int, Arrival) = ([], 0, request.after)
        for entry in journal where entry.arrival > request.after {
            if !request.covered.covers(entry.write.dot) {
                guard bytes < request.bytes, writes.count < Limits.batchWrites else {
                    return .changes(Changes(writes: writes, next: next, complete: nil))
                }
                writes.append(entry.write)
                bytes += entry.write.byteCount
            }
            next = entry.arrival
        }
        return .changes(Changes(writes: writes, next: next, complete: complete))
    }
}
