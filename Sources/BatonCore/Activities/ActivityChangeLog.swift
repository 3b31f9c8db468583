/// The last changes in the list of current activities, for those who watch it: each change has a number, and only the
/// last change of each activity counts.
///
/// A change by a peer is reported before the store has taken it (`expect(_:)`), so that watchers see it as soon as it
/// arrives; the store has the last word (`keep(_:expected:)`). A watcher whose number is no longer known here asks for
/// the whole list anew, so nothing is lost, however little is remembered.
package struct ActivityChangeLog: Sendable {
    /// The state of an activity since its last change.
    package enum State: Equatable, Sendable {
        /// It is going on; these fields are its encoding.
        case there(ActivityName, Activity, Fields)
        case gone
        /// To be read from the store.
        case unread
    }

    private struct Entry {
        var number: UInt64
        var state: State
        var bytes: Int
        /// The incarnation, for an activity that came from another device.
        var stamp: Stamp?
        /// How many batches that may have brought it are not kept yet.
        var expected: Int
    }

    /// The number of the last change.
    package private(set) var number: UInt64
    /// The number up to which changes are not known any more.
    private var forgotten: UInt64
    private var entries: [RecordIdentity: Entry] = [:]
    /// The changes in their order, including those of activities that have changed again since.
    private var order: [(number: UInt64, identity: RecordIdentity)] = []
    private var bytes = 0

    /// The largest number of activities that are remembered, and of their bytes; others are read from the store.
    package static let most = 1024
    package static let bytesMost = 1 << 20

    /// Begins with a number that no earlier list of this node had.
    package init(after number: UInt64) { (self.number, forgotten) = (number, number) }

    // MARK: Commands

    /// Makes every watcher ask for the whole list anew.
    package mutating func beginAnew() {
        number += 1
        (forgotten, entries, order, bytes) = (number, [:], [], 0)
    }

    /// Notes that an activity of this device changed or ended, or must be read anew; an unchanged state is no change.
    package mutating func note(_ identity: RecordIdentity, _ state: State) {
        if state != .unread, entries[identity]?.state == state { return }
        note(identity, state, stamp: nil, expected: entries[identity]?.expected ?? 0)
    }

    /// Notes a write that a peer sent and that is not kept yet; returns whether watchers are to see it.
    ///
    /// A write that only changes fields is not shown, because its activity is not known yet.
    package mutating func expect(_ write: Write) -> Bool {
        guard write.identity.kind == .currentActivity else { return false }
        let known = entries[write.identity]
        if let stamp = known?.stamp, write.stamp <= stamp { return false }
        guard let state = State(write) else { return false }
        note(write.identity, state, stamp: write.stamp, expected: (known?.expected ?? 0) + 1)
        return true
    }

    /// Notes a batch that the store has taken, and the writes of it that were expected; `changed` are the records as
    /// they are now.
    package mutating func keep(_ changed: some Sequence<Record>, expected: Set<RecordIdentity>) {
        var doubtful = expected
        for identity in expected { entries[identity]?.expected -= 1 }
        for record in changed where record.identity.kind == .currentActivity {
            doubtful.remove(record.identity)
            let (known, state) = (entries[record.identity], State(record))
            if let known {
                // A later write was reported already, and will be kept or not.
                if known.expected > 0, let stamp = known.stamp, record.incarnation < stamp { continue }
                if known.state == state, known.stamp == record.incarnation { continue }
            }
            note(record.identity, state, stamp: record.incarnation, expected: known?.expected ?? 0)
        }
        // An expected write that changed nothing lost to a later one that the store already had.
        doubt(doubtful)
    }

    /// Notes that the store did not take a batch, and the writes of it that were expected.
    package mutating func refuse(_ expected: Set<RecordIdentity>) {
        for identity in expected { entries[identity]?.expected -= 1 }
        doubt(expected)
    }

    private mutating func doubt(_ identities: Set<RecordIdentity>) {
        for identity in identities.sorted() where entries[identity] != nil {
            note(identity, .unread, stamp: nil, expected: entries[identity]?.expected ?? 0)
        }
    }

    private mutating func note(_ identity: RecordIdentity, _ state: State, stamp: Stamp?, expected: Int) {
        number += 1
        let size = state.byteCount
        bytes += size - (entries[identity]?.bytes ?? 0)
        entries[identity] = Entry(
            number: number, state: state, bytes: size, stamp: stamp, expected: max(expected, 0))
        order.append((number, identity))
        shrink()
    }

    /// Drops the changes that are beyond the limits, oldest first.
    private mutating func shrink() {
        while entries.count > Self.most {
            let oldest = order.removeFirst()
            guard let entry = entries[oldest.identity], entry.number == oldest.number else { continue }
            bytes -= entry.bytes
            entries[oldest.identity] = nil
            forgotten = oldest.number
        }
        if bytes > Self.bytesMost {
            for place in order where bytes > Self.bytesMost {
                guard let entry = entries[place.identity], entry.number == place.number, entry.bytes > 0,
                    place.number != number
                else { continue }
                bytes -= entry.bytes
                entries[place.identity]?.state = .unread
                entries[place.identity]?.bytes = 0
            }
        }
        if order.count > 2 * Self.most { order.removeAll { entries[$0.identity]?.number != $0.number } }
    }

    // MARK: Queries

    /// Returns the changes since the list had that number, in the order of numbers; nil if they are not known any more.
    package func changes(after number: UInt64) -> [(number: UInt64, identity: RecordIdentity, state: State)]?
    {
        guard number >= forgotten, number <= self.number else { return nil }
        var changes: [(number: UInt64, identity: RecordIdentity, state: State)] = []
        for place in order.reversed() {
            if place.number <= number { break }
            guard let entry = entries[place.identity], entry.number == place.number else { continue }
            changes.append((place.number, place.identity, entry.state))
        }
        return changes.reversed()
    }
}

extension ActivityChangeLog.State {
    /// The state of a record as it is now.
    package init(_ record: Record) {
        guard let (name, activity) = record.activity, let fields = record.fields else {
            self = .gone
            return
        }
        self = .there(name, activity, fields)
    }

    /// The state of an activity of this device; gone unless it is offered.
    package init(_ name: ActivityName, _ offered: Activity?) {
        self = offered.map { .there(name, $0, $0.fields) } ?? .gone
    }

    /// The state of a record if this write is its last one.
    fileprivate init?(_ write: Write) {
        switch write.action {
        case .deletion: self = .gone
        case .full: self.init(Record(write))
        case .partial, .count: return nil
        }
    }

    fileprivate var byteCount: Int {
        switch self {
        case .there(let name, _, let fields): fields.encodedCount + name.key.name.count
        case .gone, .unread: 0
        }
    }
}
