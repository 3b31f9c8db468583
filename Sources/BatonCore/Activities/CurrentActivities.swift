/// The activities of this device's app instances: what of them is kept here, what others may see, and when.
///
/// It never sees a disk, a clock or a process. There are four families of methods:
/// - commands of apps change an activity, and carry a ticket: `start`, `update`, `resign`, `finish`, `deleteSaved`;
/// - events go in with `handle…`, and `load` is the first;
/// - outputs are drained after every call: `nextOutput()`;
/// - queries are nouns and claims.
///
/// The part that others may see is a record; the part that they may not see, or not yet, stands in a note. The target
/// state of the disk follows from what is wanted, from what is there, and from the time. At most one transaction of an
/// activity is under way; later changes go with the next one.
///
///     in step ──change, or its time──▶ under way ──kept──▶ in step, or once more
///                                         └──failed──▶ what is on the disk holds; what must be is tried later
package struct CurrentActivities: Sendable {
    /// Names a request whose answer is due once what it asks for is kept.
    package typealias Ticket = UInt64

    /// How an activity ends.
    package enum Ending: Equatable, Sendable {
        case finished
        /// A device continued it, and took it over.
        case takenOver(by: DeviceIdentifier, at: WallTime)
        /// The person wants it nowhere any more; nothing is kept of it.
        case forgotten
    }

    /// Drafts that are to be kept together; at most one transaction of a name is under way.
    package struct Transaction: Equatable, Sendable {
        package let name: ActivityName
        package let drafts: [Journal.Draft]
        package let notes: [LocalNote]
    }

    /// The present moment, by both clocks.
    package struct Moment: Equatable, Sendable {
        package var instant: Instant
        package var wall: WallTime

        package init(_ instant: Instant, _ wall: WallTime) { (self.instant, self.wall) = (instant, wall) }
    }

    package let device: DeviceIdentifier
    /// How often changes go out.
    var pace: PublishingPace
    /// The pause after a failure of the disk before a necessary write is retried: the first and the longest one.
    let retryPause: ClosedRange<Duration>
    /// Whether nothing is to leave this device.
    package internal(set) var isPrivate = false
    /// For how many days ended activities are kept.
    package var finishedDays: Int64

    /// The activities, by the identities of their records.
    var entries: [RecordIdentity: Entry] = [:]
    /// When something is to be done about an activity.
    var deadlines: [RecordIdentity: Instant] = [:]
    var taken = TakenActivities()
    var unexplained = UnexplainedEnds()
    var transactions: [Transaction] = []
    var answers: [(Ticket, StoreFailure?)] = []
    var endings: [(ActivityName, Ending)] = []
    /// The present names of instances that go on under another name than their first, by the first one.
    var moved: [RecordIdentity: ActivityName] = [:]
    var moves: [(from: ActivityName, to: ActivityName)] = []

    package init(
        of device: DeviceIdentifier, pace: PublishingPace, retryPause: ClosedRange<Duration>,
        finishedDays: Int64
    ) {
        (self.device, self.pace, self.retryPause) = (device, pace, retryPause)
        self.finishedDays = finishedDays
    }

    // MARK: Loading when the node starts

    /// Loads the activities that were going on.
    ///
    /// Activities that were bound to a connection have ended with it, except those whose connection is still there,
    /// which are given by their first names. Records that others wrote with times that are out of reach of the clock
    /// are not this device's.
    package mutating func load(
        _ records: [Record], notes: [LocalNote], taken: TakenActivities, isPrivate: Bool,
        connected: Set<ActivityName> = [], clock: HybridTime, at now: Moment
    ) {
        (self.taken, self.isPrivate) = (taken, isPrivate)
        #if DEBUG
            if Faults.isPlanted(.takenForgotten) { self.taken = TakenActivities() }
        #endif
        var found: [ActivityName: Disk] = [:]
        let records = records.filter { $0.incarnation.time <= clock }
        for (name, activity) in records.compactMap(\.activity) where name.device == device {
            found[name, default: Disk()].record = activity
        }
        for (name, note) in notes.compactMap(OwnActivityNote.read) where name.device == device {
            found[name, default: Disk()].note = note
        }
        for (name, disk) in found.sorted(by: { $0.key.precedes($1.key) }) {
            entries[name.identity] = Entry(name, loading: disk)
            #if DEBUG
                let isTaken = !Faults.isPlanted(.moveForgotten)
            #else
                let isTaken = true
            #endif
            if isTaken, name.epoch > moved[name.first.identity]?.epoch ?? 0 {
                moved[name.first.identity] = name
            }
            if disk.own?.lifetime == .connection, !connected.contains(name.first) {
                end(name, as: .finished, isCertain: true, at: now)
            }
            settle(name, at: now)
        }
    }

    // MARK: Outputs

    package enum Output: Sendable {
        /// A transaction that is to be kept; the answer goes to `handleKept(_:_:at:)`.
        case transaction(Transaction)
        /// The answer to a request; nil means that what it asks for is kept.
        case answer(Ticket, StoreFailure?)
        /// An activity that ended without its app's doing.
        case ending(ActivityName, Ending)
        /// An instance goes on under another name.
        case move(from: ActivityName, to: ActivityName)
    }

    /// Returns the next output: transactions go before what is reported.
    package mutating func nextOutput() -> Output? {
        if !moves.isEmpty {
            let (from, to) = moves.removeFirst()
            return .move(from: from, to: to)
        }
        if !transactions.isEmpty { return .transaction(transactions.removeFirst()) }
        if !answers.isEmpty {
            let (ticket, failure) = answers.removeFirst()
            return .answer(ticket, failure)
        }
        guard !endings.isEmpty else { return nil }
        let (name, ending) = endings.removeFirst()
        return .ending(name, ending)
    }

    // MARK: Queries

    /// When `handleDeadline(at:)` is due.
    package var deadline: Instant? { deadlines.values.min() }

    /// Every activity that is going on here, or is resigned, in the order of names.
    package var all: [(name: ActivityName, own: OwnActivity)] {
        sortedNames.compactMap { name in entries[name.identity]?.wanted.map { (name, $0) } }
    }

    /// Returns the name under which the instance of that name goes on.
    package func present(_ name: ActivityName) -> ActivityName { moved[name.first.identity] ?? name.first }

    package subscript(name: ActivityName) -> OwnActivity? { entries[name.identity]?.wanted }

    /// Returns the name of the activity that a record would be about, if one is known here.
    package func name(of identity: RecordIdentity) -> ActivityName? { entries[identity]?.name }

    /// Whether other devices may see the activity.
    package func isShared(_ name: ActivityName) -> Bool {
        entries[name.identity]?.wanted.map { $0.isOffered && !isPrivate } ?? false
    }

    /// Returns where the activity of that record went on, if it was taken over when it ended last.
    package func takenOver(_ identity: RecordIdentity) -> Activity.Continuation? { taken[identity] }

    /// Whether others ended the activity, and its app is not told yet because it is not known how.
    package func hasUnexplainedEnd(_ name: ActivityName) -> Bool { unexplained.contains(name.identity) }

    var sortedNames: [ActivityName] { entries.values.map(\.name).sorted { $0.precedes($1) } }
}

extension ActivityName {
    /// Compares names in an order that is the same everywhere.
    func precedes(_ other: ActivityName) -> Bool {
        key.name.lexicographicallyPrecedes(other.key.name)
    }
}
