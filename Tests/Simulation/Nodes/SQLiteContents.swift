import BatonCore
import BatonStore
import Support

/// The content of a store in SQLite; all rows are read at once, and again only when some changed.
final class SQLiteContents: StoreContents {
    let store: SQLiteStore
    private let fileSystem: String
    /// Lets the disk succeed in everything while the content is read.
    private let quietly: (() throws(StoreFailure) -> Void) throws(StoreFailure) -> Void
    private var rows: Rows?
    /// The reader that lives as long as the store is open, as a node's does, with the pages that are taken from it.
    private var lasting: LastingReader?

    init(
        of store: SQLiteStore, on fileSystem: String,
        quietly: @escaping (() throws(StoreFailure) -> Void) throws(StoreFailure) -> Void
    ) { (self.store, self.fileSystem, self.quietly) = (store, fileSystem, quietly) }

    /// The rows that were read at one moment.
    fileprivate struct Rows {
        let changeCount: Int64
        let writes: [Lane: [Write]]
        let records: [RecordIdentity: Record]
        let sorted: [Record]
        let clears: [Lane: Clears]
    }

    /// Everything by which a loss can be noticed.
    struct State: Equatable {
        let writes: [Write], complete: VersionVector, dropped: VersionVector, reports: Reports
    }

    /// Searches as a node does that has just started, on a connection of its own.
    func search<Value>(
        _ limits: SearchLimits = SearchLimits(), _ body: (SearchReader) throws(StoreFailure) -> Value
    ) -> Value {
        look { (_) throws(StoreFailure) in
            try body(try SearchReader(folder: "", stop: SearchStop(), limits: limits, fileSystem: fileSystem))
        }
    }

    /// Searches as a node does that has searched before.
    func searchOn<Value>(
        _ limits: SearchLimits, _ body: (LastingReader) throws(StoreFailure) -> Value
    ) -> Value {
        look { (store) throws(StoreFailure) in
            let reader =
                if let lasting { lasting } else {
                    LastingReader(
                        try SearchReader(
                            folder: "", stop: SearchStop(), gate: store.readers, limits: limits,
                            fileSystem: fileSystem))
                }
            lasting = reader
            return try body(reader)
        }
    }

    /// The searches whose pages are being taken.
    var openPages: [OpenPages] { lasting?.pages ?? [] }

    /// The activities that this device keeps for itself.
    var keptActivities: KeptActivities {
        look { (store) throws(StoreFailure) in
            KeptActivities(try store.notes(in: .keptActivity) + store.notes(in: .keptUse))
        }
    }

    /// Remembers a search of the person.
    func remember(_ typed: String, in app: String?, at now: WallTime) {
        look { (store) throws(StoreFailure) in
            try store.ownLane(.index).remember(search: typed, in: app, at: now)
        }
    }

    /// Everything that a rescue must save, by lane.
    var standing: [Lane: LaneStanding] {
        look { (store) throws(StoreFailure) in
            var standing: [Lane: LaneStanding] = [:]
            for lane in Lane.allCases { standing[lane] = try LaneStanding(lane, of: store) }
            return standing
        }
    }

    /// Everything that a backup holds.
    var backedUp: BackedUp {
        look { (store) throws(StoreFailure) in try BackedUp(state: state, of: store) }
    }

    var state: State {
        State(writes: survivingWrites, complete: complete, dropped: dropped, reports: reports)
    }

    var complete: VersionVector { store.complete }
    var dropped: VersionVector { store.dropped }
    var reports: Reports { store.reports }
    var clock: HybridTime { store.clock }
    func horizon(of lane: Lane) -> HybridTime { store.horizon(of: lane) }
    var survivingWrites: [Write] { Lane.allCases.flatMap { read.writes[$0] ?? [] } }
    var allRecords: [Record] { read.sorted }
    func record(_ identity: RecordIdentity) -> Record? { read.records[identity] }
    func clears(of lane: Lane) -> Clears { read.clears[lane] ?? Clears() }
    var unseenClears: Set<RecordIdentity> {
        look { (store) throws(StoreFailure) in try store.unseenClears() }
    }

    private var read: Rows {
        if let rows, rows.changeCount == store.changeCount, !store.isGrouping { return rows }
        let rows = look { (store) throws(StoreFailure) in try Rows(of: store) }
        self.rows = store.isGrouping ? nil : rows
        return rows
    }

    /// Reads something without any of the world's faults.
    func look<Value>(_ body: (SQLiteStore) throws(StoreFailure) -> Value) -> Value {
        var result: Value?
        do throws(StoreFailure) {
            try quietly { () throws(StoreFailure) in result = try body(store) }
        } catch {
            fatalError("a store can't be looked at: \(error)")
        }
        guard let result else { preconditionFailure("what was looked at was seen") }
        return result
    }
}

/// The part of a lane that survives a power loss once it is synced.
struct SyncedLane: Equatable {
    let writes: [Write], notes: [LocalNote], horizon: HybridTime
    let complete: VersionVector, dropped: VersionVector, reports: Reports

    init(_ lane: Lane, of store: SQLiteStore) throws(StoreFailure) {
        let standing = try LaneStanding(lane, of: store)
        (writes, notes, horizon) = (standing.writes, standing.notes, standing.horizon)
        complete = store.complete.restricted(to: lane)
        dropped = store.dropped.restricted(to: lane)
        reports = store.reports.restricted(to: lane)
    }
}

extension SQLiteContents.Rows {
    fileprivate init(of store: SQLiteStore) throws(StoreFailure) {
        var writes: [Lane: [Write]] = [:]
        for lane in Lane.allCases { writes[lane] = try store.survivingWrites(in: lane) }
        let records = Dictionary(grouping: writes.values.joined(), by: \.identity)
            .mapValues { Record(merging: $0) }
        let sorted = records.values.sorted { $0.identity < $1.identity }
        var clears: [Lane: Clears] = [:]
        for record in sorted {
            guard let clear = record.clear else { continue }
            clears[record.identity.kind.lane, default: Clears()].add(clear)
        }
        self.init(
            changeCount: store.changeCount, writes: writes, records: records,
            sorted: sorted, clears: clears)
    }
}
