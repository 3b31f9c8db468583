import BatonCore
import Support

/// Everything that can be read of one lane of a store, to compare it with the store in memory.
struct LaneView: Equatable {
    private var complete: VersionVector
    private var dropped: VersionVector
    private var reports: Reports
    private var settled: Arrival?
    private var head: Arrival?
    private var resume: ResumeToken?
    private var snapshot: SnapshotProgress?
    private var changes: ChangesAnswer
    private var range: RangeAnswer
    private var records: [[Record]]
    private var quarantined: [QuarantinedWrite]
    private var shown: ShownState?
    private var sums: LaneSums
    /// The notes that are stored with the activities.
    private var notes: [LocalNote] = []
    private var order: ArrivalOrder?

    /// Reads a lane, and recounts the sums of all its records.
    init(_ lane: Lane, of store: any AccountStore) throws {
        let peer = DeviceIdentifier(high: 0x2222_2222 << 32, low: 1)
        let summary = try store.summary(for: peer)
        complete = summary.complete.restricted(to: lane)
        dropped = summary.dropped.restricted(to: lane)
        var told = Reports()
        for (device, vector) in summary.reports.sorted where !vector.restricted(to: lane).isEmpty {
            told.join(device, vector.restricted(to: lane))
        }
        reports = told
        (settled, head) = (summary.settled[lane], summary.heads[lane])
        (resume, snapshot) = (summary.resume[lane], summary.snapshots[lane])
        changes = try store.changes(
            ChangesRequest(lane: lane, after: .none, covered: summary.dropped, bytes: .max))
        range = try store.range(RangeRequest(lane: lane, after: nil, since: nil, covered: nil, bytes: .max))
        records = try (UInt64(0)...16).map { RecordKind(rawValue: $0) }.filter { $0.lane == lane }
            .map { (kind) throws in try store.records(of: kind) }
        quarantined = try store.quarantined().filter { $0.dot.origin.lane == lane }
        if lane == .index { shown = try store.shownState(of: ClientStateName(app: "a", index: "i")) }
        if lane == .activities {
            notes = try store.notes(in: .ownActivity)
            order = summary.order
        }
        // Records of these tests expire at such times, if they do, and it does not matter which is first.
        for time in [2, 1, 1000].map({ WallTime(milliseconds: $0) }) {
            let state = try store.check(at: time)?.state
            _ = try store.recount(lane, at: time)
            if try store.check(at: time)?.state != state {
                throw StoreViolation("the digest of \(lane) is not that of its records at \(time)")
            }
        }
        sums = try store.recount(lane, at: InMemoryStore.past)
    }

    /// Returns the names of what differs in another view.
    func difference(from other: LaneView) -> [String] {
        zip(Mirror(reflecting: self).children, Mirror(reflecting: other).children).compactMap {
            mine, theirs in
            guard let value = mine.value as? any Equatable, !Self.same(value, theirs.value) else {
                return nil
            }
            return
                "\(mine.label ?? ""): \("\(mine.value)".prefix(200)) and not \("\(theirs.value)".prefix(200))"
        }
    }

    private static func same<Value: Equatable>(_ mine: Value, _ theirs: Any) -> Bool {
        theirs as? Value == mine
    }
}
