import BatonCore

/// The ended, replicated activities that are eligible for search, kept in memory.
///
/// If there is no room for all activities, those with the latest changes are kept.
struct ReplicatedActivities {
    private let lane: LaneReader
    private let countMost: Int
    private let bytesMost: Int

    private(set) var entries: [RecordIdentity: SearchedActivity] = [:]
    private var byteCount = 0
    /// Whether some activities are left out, because there is no room for all.
    private(set) var isCut = false
    /// The place in the order of arrival up to which changes are known, and the version of the store at that time.
    ///
    /// This is nil if all activities must be read again.
    private var known: (order: ArrivalOrder, head: Arrival, version: Int64?)?
    /// The number of changes of `entries` so far.
    private(set) var revision = 0
    /// The activities that were read since `drainRead()` was last called.
    private var read: [RecordIdentity] = []

    /// The largest number of changed records that are read one by one.
    ///
    /// If more records have changed since the last search, all activities are read again.
    private static let changesMost = 4096

    init(_ lane: LaneReader, countMost: Int, bytesMost: Int) {
        self.lane = lane
        self.countMost = countMost
        self.bytesMost = bytesMost
    }

    /// Reads the changes of the store since the last search.
    mutating func catchUp() throws(StoreFailure) {
        let version = lane.version
        if let known, let version, known.version == version { return }
        guard let progress = try lane.tables.progress.content() else {
            throw lane.tables.rows.damaged(.outOfRange)
        }
        let known = self.known.take()
        guard let known, known.order == progress.order, known.head <= progress.head,
            let changed = try lane.tables.records.changed(after: known.head, most: Self.changesMost),
            !changed.contains(where: { $0.identity.kind == .activitiesClear })
        else {
            try readAll()
            self.known = (progress.order, progress.head, version)
            return
        }
        var isGone = false
        for (_, identity) in changed where identity.kind == .savedActivity {
            let entry = try stored(identity)
            isGone = isGone || entry == nil
            set(identity, to: entry)
        }
        makeRoom()
        // If an activity was removed, there may be room for one that was left out.
        if isGone, isCut { try readAll() }
        self.known = (progress.order, progress.head, version)
    }

    /// Whether an activity is still in the store.
    ///
    /// If not, it is removed from memory.
    ///
    /// This check is needed because a deletion that was garbage-collected leaves no trace for `catchUp()` to find.
    mutating func has(_ identity: RecordIdentity) throws(StoreFailure) -> Bool {
        if try stored(identity) != nil { return true }
        set(identity, to: nil)
        return false
    }

    /// Returns the activities that were read since the last call.
    mutating func drainRead() -> [RecordIdentity] {
        defer { read = [] }
        return read
    }

    /// Reads all activities, the latest change first.
    private mutating func readAll() throws(StoreFailure) {
        (entries, byteCount, isCut) = ([:], 0, false)
        revision += 1
        var identities: [RecordIdentity] = []
        // Expired activities are read, too. Each search leaves them out by its own time.
        try lane.tables.activities.visit(.finished, at: .never) { entry in
            identities.append(entry.identity)
            return true
        }
        for identity in identities {
            guard !isCut, let entry = try stored(identity) else { continue }
            set(identity, to: entry)
            makeRoom()
        }
    }

    /// Reads an activity from the store; returns nil if the activity does not exist or is not eligible for search.
    func stored(_ identity: RecordIdentity) throws(StoreFailure) -> SearchedActivity? {
        try lane.records.stored(identity)?.record.namedActivity.flatMap {
            SearchedActivity($0.name, $0.activity, isHere: false)
        }
    }

    private mutating func set(_ identity: RecordIdentity, to entry: SearchedActivity?) {
        let old = entries[identity]
        guard old != nil || entry != nil else { return }
        byteCount += (entry?.byteCount ?? 0) - (old?.byteCount ?? 0)
        entries[identity] = entry
        revision += 1
        if entry != nil { read.append(identity) }
    }

    /// Removes the activities with the oldest changes until there is room for the others.
    private mutating func makeRoom() {
        guard entries.count > countMost || byteCount > bytesMost else { return }
        isCut = true
        var order = entries.keys.sorted { left, right in
            guard let first = entries[left]?.changed, let second = entries[right]?.changed, first != second
            else { return left < right }
            return first > second
        }
        while entries.count > countMost || byteCount > bytesMost, let last = order.popLast() {
            set(last, to: nil)
        }
    }
}
