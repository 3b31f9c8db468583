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
    /// The first of the activities that are left out, because there is no room for all; nil if none is left out.
    ///
    /// All activities before it are in memory, and none after it.
    private var leftOut: LeftOut?
    /// Whether the first activity that is left out has changed since the last search.
    private var hasLeftOutChanged = false
    /// The progress of the store up to which changes are known, and the version of the store at that time.
    ///
    /// This is nil if all activities must be read again.
    private var known: (progress: ProgressTable.Content, version: Int64?)?
    /// The number of changes of `entries` so far.
    private(set) var revision = 0
    /// The activities that were read since `drainRead()` was last called.
    private var read: [RecordIdentity] = []

    /// An activity that is left out.
    private struct LeftOut {
        let place: Place
        let byteCount: Int
    }

    /// The place of an activity among all: the latest change comes first.
    private struct Place: Comparable {
        let changed: WallTime
        let identity: RecordIdentity

        static func < (left: Place, right: Place) -> Bool {
            left.changed != right.changed ? left.changed > right.changed : left.identity < right.identity
        }
    }

    /// The largest number of changed records that are read one by one.
    ///
    /// If more records have changed since the last search, all activities are read again.
    private static let changesMost = 4096

    init(_ lane: LaneReader, countMost: Int, bytesMost: Int) {
        self.lane = lane
        self.countMost = countMost
        self.bytesMost = bytesMost
    }

    /// Whether some activities are left out, because there is no room for all.
    var isCut: Bool { leftOut != nil }

    /// Reads the changes of the store since the last search.
    ///
    /// Afterwards, the same activities are in memory as if all of them had been read again.
    mutating func catchUp() throws(StoreFailure) {
        let version = lane.version
        if let known, let version, known.version == version { return }
        guard let progress = try lane.tables.progress.content() else {
            throw lane.tables.rows.damaged(.outOfRange)
        }
        let known = self.known.take()
        guard let known = known?.progress, known.order == progress.order, known.head <= progress.head,
            let changed = try lane.tables.records.changed(after: known.head, most: Self.changesMost),
            !changed.contains(where: { $0.identity.kind == .activitiesClear })
        else {
            try readAll()
            self.known = (progress, version)
            return
        }
        for (_, identity) in changed where identity.kind == .savedActivity {
            set(identity, to: try stored(identity))
        }
        if known.removals != progress.removals { try readRemovals(sweptUntil: progress.swept) }
        makeRoom()
        if hasRoom { try readAll() }
        self.known = (progress, version)
    }

    /// Reads the activities again that may have been removed without a new place in the order of arrival.
    private mutating func readRemovals(sweptUntil swept: WallTime) throws(StoreFailure) {
        var present: Set<RecordIdentity> = []
        try lane.tables.activities.visit(.finished, at: .never) { entry in
            present.insert(entry.identity)
            return true
        }
        for (identity, entry) in entries {
            let wasSwept = entry.expiration.map { $0 <= swept } ?? false
            if wasSwept || !present.contains(identity) { set(identity, to: try stored(identity)) }
        }
        if let identity = leftOut?.place.identity { set(identity, to: try stored(identity)) }
    }

    /// Returns the activities that were read since the last call.
    mutating func drainRead() -> [RecordIdentity] {
        defer { read = [] }
        return read
    }

    /// Reads all activities, the latest change first.
    private mutating func readAll() throws(StoreFailure) {
        (entries, byteCount) = ([:], 0)
        (leftOut, hasLeftOutChanged) = (nil, false)
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

    /// Replaces an activity in memory, unless the activity comes after one that is left out.
    private mutating func set(_ identity: RecordIdentity, to found: SearchedActivity?) {
        let place = found.map { Place(changed: $0.changed, identity: identity) }
        if let leftOut, leftOut.place.identity == identity,
            leftOut.place != place || leftOut.byteCount != found?.byteCount
        {
            hasLeftOutChanged = true
        }
        let isIn = place.map { place in leftOut.map { place < $0.place } ?? true } ?? false
        replace(identity, with: isIn ? found : nil)
    }

    private mutating func replace(_ identity: RecordIdentity, with entry: SearchedActivity?) {
        let old = entries[identity]
        guard old != nil || entry != nil else { return }
        byteCount += (entry?.byteCount ?? 0) - (old?.byteCount ?? 0)
        entries[identity] = entry
        revision += 1
        if entry != nil { read.append(identity) }
    }

    /// Whether there may be room for an activity that is left out.
    private var hasRoom: Bool {
        guard let leftOut else { return false }
        return hasLeftOutChanged
            || entries.count < countMost && byteCount + leftOut.byteCount <= bytesMost
    }

    /// Removes the activities with the oldest changes until there is room for the others.
    private mutating func makeRoom() {
        guard entries.count > countMost || byteCount > bytesMost else { return }
        var places = entries.map { Place(changed: $0.value.changed, identity: $0.key) }.sorted()
        while entries.count > countMost || byteCount > bytesMost, let last = places.popLast(),
            let entry = entries.removeValue(forKey: last.identity)
        {
            byteCount -= entry.byteCount
            revision += 1
            leftOut = LeftOut(place: last, byteCount: entry.byteCount)
        }
    }
}
