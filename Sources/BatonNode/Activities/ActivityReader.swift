import BatonCore

/// Everything besides the store that a reader of activities needs.
struct ActivityScope: Sendable {
    let own: DeviceIdentifier
    /// This device's activities in the state that its apps gave last.
    ///
    /// The latest change comes first.
    let here: [ListedActivity]
    /// Ended activities that this device keeps to itself, and actions that apps donated on this device.
    ///
    /// The latest change comes first.
    let kept: [ListedActivity]
    /// The other devices of the account.
    let members: [DeviceIdentifier]
    /// Devices that no longer belong to the account.
    let departed: [DeviceIdentifier]
    /// The names of the other devices of the account.
    let names: [DeviceIdentifier: String]
    let dismissals: Dismissals
    /// The arrival times of activities whose last change has a time in the future.
    let arrivals: ArrivalTimes
    /// Opens protected activities.
    let sealing: ActivitySealing
    let now: WallTime

    init(
        own: DeviceIdentifier, here: [ListedActivity], kept: [ListedActivity], members: [DeviceIdentifier],
        departed: [DeviceIdentifier], names: [DeviceIdentifier: String], dismissals: Dismissals,
        arrivals: ArrivalTimes, sealing: ActivitySealing, now: WallTime
    ) {
        self.own = own
        self.members = members
        self.departed = departed
        self.names = names
        (self.dismissals, self.arrivals, self.now) = (dismissals, arrivals, now)
        self.sealing = sealing
        let sorted = { (listed: [ListedActivity]) in
            listed.filter { !$0.activity.isExpired(at: now) }.map { $0.dated(by: arrivals, at: now) }
                .map { ($0.place, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
        (self.here, self.kept) = (sorted(here), sorted(kept))
    }

    fileprivate func isForgotten(_ entry: ActivityEntry) -> Bool {
        dismissals.hide(entry.identity, startedAt: entry.started)
    }

    fileprivate func isForgotten(_ listed: ListedActivity) -> Bool {
        dismissals.hide(listed.identity, listed.activity)
    }
}

/// Reads activities of all devices on the store's thread.
///
/// The work grows with the size of the answer.
struct ActivityReader {
    private let scope: ActivityScope
    private let store: any LaneStore

    init(_ scope: ActivityScope, _ store: any LaneStore) { (self.scope, self.store) = (scope, store) }

    /// The activities in one answer.
    struct Page {
        var activities: [ListedActivity] = []
        var isLast = true
    }

    // MARK: Lists

    /// Returns the activities after a place in the list that fit into one answer.
    ///
    /// The page has at least one activity, unless none follows the place.
    func page(_ listing: ListActivities) throws(StoreFailure) -> Page {
        var listing = listing
        while true {
            let (rows, isLast) =
                listing.extent == .finished
                ? try finishedRows(after: listing.place)
                : try currentRows(after: listing.place, withHidden: listing.extent == .withForgotten)
            let page = try read(rows, isLast: isLast)
            guard page.activities.isEmpty, !page.isLast, let last = rows.last else { return page }
            // All of these rows were swept in the meantime, or their activities can't be read. Therefore, the next rows
            // are read.
            listing.place = last.place
        }
    }

    /// A row of a list: an activity of this device, or the entry of a stored activity.
    private enum Row {
        case here(ListedActivity)
        case stored(ActivityEntry)

        var place: ListPlace {
            switch self {
            case .here(let listed): listed.place
            case .stored(let entry): entry.place
            }
        }

        /// The approximate size of the row in an answer, in bytes.
        var answeredBytes: Int {
            switch self {
            case .here(let listed): listed.answeredBytes
            case .stored(let entry): entry.byteCount + 512
            }
        }
    }

    private func currentRows(
        after place: ListPlace?, withHidden: Bool
    ) throws(StoreFailure) -> (rows: [Row], isLast: Bool) {
        let devices = scope.members + (withHidden ? scope.departed : [])
        let (entries, isLast) = try store.entriesListed(
            on: devices, after: place, at: scope.now, arrivals: scope.arrivals
        ) {
            withHidden || !scope.isForgotten($0)
        }
        let rows = rows(entries, with: scope.here, after: place, isLast: isLast, withHidden: withHidden)
        return (rows, isLast)
    }

    private func finishedRows(after place: ListPlace?) throws(StoreFailure) -> (rows: [Row], isLast: Bool) {
        // Activities that are not eligible for search are kept only for suggestions.
        let kept = scope.kept.filter { $0.activity.eligibility.contains(.search) }
        let keptHere = Set(kept.map(\.identity))
        let (entries, isLast) = try store.entriesFinished(
            after: place, at: scope.now, arrivals: scope.arrivals
        ) {
            !scope.isForgotten($0) && !keptHere.contains($0.identity)
        }
        return (rows(entries, with: kept, after: place, isLast: isLast, withHidden: false), isLast)
    }

    /// Merges the stored activities with this device's activities in the same range of places, in the order of lists.
    private func rows(
        _ entries: [ActivityEntry], with here: [ListedActivity], after place: ListPlace?, isLast: Bool,
        withHidden: Bool
    ) -> [Row] {
        let end = isLast ? nil : entries.last?.place
        let here = here.filter { listed in
            (withHidden || !scope.isForgotten(listed)) && place.map { listed.place > $0 } ?? true
                && end.map { listed.place <= $0 } ?? true
        }
        let rows = (entries.map(Row.stored) + here.map(Row.here)).map { ($0.place, $0) }
        return rows.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private func read(_ rows: [Row], isLast: Bool) throws(StoreFailure) -> Page {
        var (page, bytes) = (Page(isLast: isLast), 0)
        for row in rows {
            bytes += row.answeredBytes
            if !page.activities.isEmpty, bytes > Limits.frameBytes / 2 {
                page.isLast = false
                break
            }
            switch row {
            case .here(let listed): page.activities.append(listed)
            case .stored(let entry): if let listed = try read(entry) { page.activities.append(listed) }
            }
        }
        return page
    }

    private func read(_ entry: ActivityEntry) throws(StoreFailure) -> ListedActivity? {
        try store.record(entry.identity).flatMap { ListedActivity($0) }?
            .dated(by: scope.arrivals, at: scope.now)
    }

    // MARK: Suggestions

    /// Returns an activity for each thing that may be suggested, by the hash of the thing.
    ///
    /// The activities are the current activities of all devices, the ended activities that were used here, and the
    /// actions that apps of this device have donated. A current activity is preferred to an ended activity about the
    /// same thing. Another device's current activity is preferred to this device's.
    func suggestible(
        used: Set<KeyHash>, withHidden: Bool
    ) throws(StoreFailure) -> [KeyHash: ListedActivity] {
        var things: [KeyHash: ListedActivity] = [:]
        let isWanted = { (listed: ListedActivity) in
            listed.activity.eligibility.contains(.prediction) && (withHidden || !scope.isForgotten(listed))
        }
        for device in scope.members {
            var entries: [ActivityEntry] = []
            try store.visitListed(on: device, at: scope.now) { entry in
                entries.append(entry)
                return true
            }
            for entry in entries {
                guard let listed = try read(entry), isWanted(listed) else { continue }
                let thing = listed.activity.thing(of: listed.app)
                if let other = things[thing], other.activity.changed >= listed.activity.changed { continue }
                things[thing] = listed
            }
        }
        for listed in scope.here where isWanted(listed) {
            let thing = listed.activity.thing(of: listed.app)
            if things[thing] == nil { things[thing] = listed }
        }
        var ended: [KeyHash: ListedActivity] = [:]
        for listed in scope.kept
        where (listed.isDonated || used.contains(listed.identity.hash)) && isWanted(listed) {
            ended[listed.identity.hash] = listed
        }
        for thing in used where things[thing] == nil {
            let identity = RecordIdentity(kind: .savedActivity, hash: thing)
            guard let record = try store.record(identity),
                let listed = ListedActivity(saved: record)?.dated(by: scope.arrivals, at: scope.now),
                !listed.activity.isExpired(at: scope.now), isWanted(listed)
            else { continue }
            if let kept = ended[thing], kept.activity.end.time >= listed.activity.end.time { continue }
            ended[thing] = listed
        }
        return things.merging(ended) { current, _ in current }
    }

    // MARK: Single activities

    /// Returns the activity to continue if the person names none.
    ///
    /// This is the activity that was sent to this device last. If none was sent, it is the activity that another device
    /// changed last.
    func last() throws(StoreFailure) -> Result<ListedActivity, LocalFailure> {
        var sent: [ActivityEntry] = []
        for device in scope.members {
            try store.visitListed(on: device, at: scope.now) { entry in
                if entry.sent == scope.own, !scope.isForgotten(entry) { sent.append(entry) }
                return true
            }
        }
        var found: ListedActivity?
        for entry in sent {
            guard let listed = try read(entry), listed.isSent(to: scope.own) else { continue }
            if let last = found, listed.sentTime <= last.sentTime { continue }
            found = listed
        }
        if found == nil { found = try latestShown() }
        return Result.success(found).required(
            LocalFailure(
                .notFound,
                "There is no activity on your other devices.\n"
                    + "`baton list --finished` shows those that have ended, `baton status` which devices are connected."
            ))
    }

    /// Returns the most recently changed activity of another device.
    ///
    /// Activities that lists show are preferred. If lists show none, the most recently changed of all is returned.
    private func latestShown() throws(StoreFailure) -> ListedActivity? {
        // Copied content is left out: a person who copied something was not working on the copy.
        let copied = ActivityEntry.hash(ofType: Activity.clipboardType)
        let (entries, _) = try store.entriesListed(
            on: scope.members, after: nil, at: scope.now, arrivals: scope.arrivals
        ) { $0.type != copied && !scope.isForgotten($0) }
        var latest: [ListedActivity] = []
        for entry in entries {
            guard let listed = try read(entry) else { continue }
            latest.append(listed)
            // Lists leave out only shells. Therefore, the first activity of another app suffices.
            if latest.count == 1, listed.app != PersonalShell.app { break }
        }
        return latest.shownToPeople.first ?? latest.first
    }

    /// Returns the activity of a type that changed last; nil if there is none.
    ///
    /// Hidden activities are left out. Other devices' activities are preferred.
    func last(ofType type: String) throws(StoreFailure) -> ListedActivity? {
        let hash = ActivityEntry.hash(ofType: type)
        if let found = try firstStored({ $0.type == hash && !scope.isForgotten($0) }) { return found }
        return scope.here.first { $0.activity.type == type && !scope.isForgotten($0) }
    }

    /// Returns the activity that changed last among other devices' activities that meet a condition.
    private func firstStored(_ isWanted: (ActivityEntry) -> Bool) throws(StoreFailure) -> ListedActivity? {
        let (entries, _) = try store.entriesListed(
            on: scope.members, after: nil, at: scope.now, arrivals: scope.arrivals, where: isWanted)
        for entry in entries { if let listed = try read(entry) { return listed } }
        return nil
    }

    /// Returns the current activity whose identifier begins with a text; nil if there is none.
    ///
    /// Activities of departed devices are found, too. If several activities match, the failure says so.
    func identified(_ text: String) throws(StoreFailure) -> Result<ListedActivity?, LocalFailure> {
        let prefix = text.lowercased()
        guard let range = KeyHash.range(ofPrefix: prefix) else { return .success(nil) }
        let here = scope.here.filter { range.contains($0.identity.hash) }
        var (found, count): (ActivityEntry?, Int) = (nil, here.count)
        for device in scope.members + scope.departed {
            try store.visitListed(on: device, at: scope.now) { entry in
                guard range.contains(entry.identity.hash) else { return true }
                (found, count) = (entry, count + 1)
                return true
            }
        }
        guard count <= 1 else {
            return .failure(Self.ambiguous("\(count) activities have an ID that begins", text))
        }
        if let found, let listed = try read(found) { return .success(listed) }
        return .success(here.first)
    }

    /// Returns the current activity of this device whose saved identifier begins with a text.
    ///
    /// Searches show the saved identifier.
    func searched(_ text: String) -> ListedActivity? {
        guard let range = KeyHash.range(ofPrefix: text.lowercased()) else { return nil }
        return scope.here.first {
            $0.activity.eligibility.contains(.search)
                && range.contains($0.activity.savedName(by: $0.app).key.identity.hash)
        }
    }

    /// Returns the current activity whose identifier begins with a text.
    ///
    /// If there is none, returns one whose type is the text.
    func current(_ text: String) throws(StoreFailure) -> Result<ListedActivity?, LocalFailure> {
        let identified = try identified(text)
        guard case .success(nil) = identified else { return identified }
        return .success(try last(ofType: text))
    }

    /// Returns the listed activity whose title contains a text; nil if there is none.
    ///
    /// Case and accents are ignored. Activities of other devices are preferred to those of this device. If several
    /// activities match, the failure lists them.
    func titled(_ text: String) throws(StoreFailure) -> Result<ListedActivity?, LocalFailure> {
        guard var search = TitleSearch<ListedActivity>(text) else { return .success(nil) }
        var all: [ListedActivity] = []
        for row in try currentRows(after: nil, withHidden: false).rows {
            if let listed = try read(row) { all.append(listed) }
        }
        for listed in all.map(opened).shownToPeople {
            search.look(at: listed, titled: listed.activity.title, isHere: listed.device == scope.own)
        }
        return search.result { listed in
            TitleSearch.Label(
                identifier: listed.shortIdentifier, title: listed.title,
                device: listed.device == scope.own
                    ? nil : scope.names[listed.device] ?? listed.device.description,
                changed: listed.activity.changed, at: scope.now)
        }
    }

    /// Returns the entry with the content of its activity, if that is protected.
    private func opened(_ listed: ListedActivity) -> ListedActivity {
        var opened = listed
        opened.activity = scope.sealing.shown(listed.activity, of: listed.app)
        return opened
    }

    private func read(_ row: Row) throws(StoreFailure) -> ListedActivity? {
        switch row {
        case .here(let listed): listed
        case .stored(let entry): try read(entry)
        }
    }

    /// Returns the ended activity whose present or earlier identifier begins with a text.
    ///
    /// If the same activity ended several times, its last end is returned.
    func finished(_ text: String) throws(StoreFailure) -> Result<ListedActivity?, LocalFailure> {
        let prefix = text.lowercased()
        guard let range = KeyHash.range(ofPrefix: prefix) else { return .success(nil) }
        // Two different activities are enough to know that the text is ambiguous.
        var entries = try first(2, of: .finishedCalled(range))
        if let one = try first(1, of: .finishedFrom(range)).first, let origin = one.origin {
            entries.append(one)
            if origin < range.upperBound {
                entries += try first(1, of: .finishedFrom(origin.next...range.upperBound))
            }
        }
        var found = scope.kept.filter { range.contains($0.identity.hash) || $0.wasCalled(prefix) }
        for entry in entries { if let listed = try read(entry) { found.append(listed) } }
        let origins = Set(found.map { $0.wasCalled(prefix) ? $0.activity.origin?.identity : $0.identity })
        guard origins.count <= 1 else {
            return .failure(Self.ambiguous("Several activities have an ID that begins", text))
        }
        return .success(found.max { $0.activity.end.time < $1.activity.end.time })
    }

    /// Returns the last end of an activity that was current under a record's identity.
    ///
    /// Ends that this device does not know of are not considered.
    func end(of identity: RecordIdentity) throws(StoreFailure) -> ListedActivity? {
        var entries: [ActivityEntry] = []
        // If two ends have the same time, all devices must choose the same one.
        try store.visitActivities(.finishedFrom(identity.hash...identity.hash), at: scope.now) { entry in
            guard entry.finish == entries.first?.finish ?? entry.finish, entries.count < Self.endsMost else {
                return false
            }
            entries.append(entry)
            return true
        }
        var found: ListedActivity?
        for entry in entries {
            guard let listed = try read(entry), listed.activity.origin?.identity == identity else { continue }
            if let last = found, listed.activity.end <= last.activity.end { continue }
            found = listed
        }
        for listed in scope.kept where listed.activity.origin?.identity == identity {
            if let last = found, listed.activity.end <= last.activity.end { continue }
            found = listed
        }
        return found
    }

    /// The largest number of ends with the same time that are compared.
    private static let endsMost = 16

    /// Returns the times at which current activities of other devices expire.
    func expirations() throws(StoreFailure) -> [RecordIdentity: WallTime] {
        var dates: [RecordIdentity: WallTime] = [:]
        for device in scope.members {
            try store.visitListed(on: device, at: scope.now) { entry in
                if let date = entry.expires { dates[entry.identity] = date }
                return true
            }
        }
        return dates
    }

    private func first(_ count: Int, of query: ActivityQuery) throws(StoreFailure) -> [ActivityEntry] {
        var entries: [ActivityEntry] = []
        try store.visitActivities(query, at: scope.now) { entry in
            entries.append(entry)
            return entries.count < count
        }
        return entries
    }

    private static func ambiguous(_ what: String, _ text: String) -> LocalFailure {
        LocalFailure(.notFound, "\(what) with “\(text)”. Type more of the ID; see `baton list`.")
    }
}

extension Result where Failure == LocalFailure {
    /// Returns the value.
    ///
    /// If the value is nil, returns the failure.
    func required<Value>(_ failure: LocalFailure) -> Result<Value, LocalFailure> where Success == Value? {
        flatMap { value in value.map { .success($0) } ?? .failure(failure) }
    }
}

extension ListedActivity {
    /// The approximate size of the activity in an answer, in bytes.
    var answeredBytes: Int {
        activity.fields.encodedCount + app.utf8.count + (instance?.utf8.count ?? 0) + 256
    }

    fileprivate var sentTime: WallTime { activity.sent?.time ?? activity.changed }
}
