/// What changed last in the list of what is going on, for those who watch it: each change has a number, and of each
/// activity only the last change counts.
///
/// What a peer sends is told before the store has taken it (`expect(_:)`), because whoever watches is to see it as soon
/// as it is here; the store has the last word (`keep(_:expected:)`). Who knows the list as of a number that is not known
/// here any more asks for all of it anew, so nothing is lost, however little is remembered.
package struct ActivityChangeLog: Sendable {
    /// How it stands with an activity since its last change.
    package enum State: Equatable, Sendable {
        /// It is going on; its fields are those that spell it.
        case there(ActivityName, Activity, Fields)
        case gone
        /// To be read from the store.
        case unread
    }

    private struct Entry {
        var number: UInt64
        var state: State
        var bytes: Int
        /// The incarnation that it is, of what came from another device.
        var stamp: Stamp?
        /// How many batches that may have brought it are not kept yet.
        var expected: Int
    }

    /// The number of the last change.
    package private(set) var number: UInt64
    /// What changed up to that number is not known any more.
    private var forgotten: UInt64
    private var entries: [RecordIdentity: Entry] = [:]
    /// The changes in their order, also of such as have changed again since.
    private var order: [(number: UInt64, identity: RecordIdentity)] = []
    private var bytes = 0

    /// How many activities are remembered, and how many bytes of them; others are read from the store.
    package static let most = 1024
    package static let bytesMost = 1 << 20

    /// Begins with a number that no earlier list of this node had.
    package init(after number: UInt64) { (self.number, forgotten) = (number, number) }

    // MARK: Commands

    /// Has every watcher ask for the whole list anew.
    package mutating func beginAnew() {
        number += 1
        (forgotten, entries, order, bytes) = (number, [:], [], 0)
    }

    /// An activity of this device changed or ended, or one is to be looked at anew; what is told already is no change.
    package mutating func note(_ identity: RecordIdentity, _ state: State) {
        if state != .unread, entries[identity]?.state == state { return }
        note(identity, state, stamp: nil, expected: entries[identity]?.expected ?? 0)
    }

    /// A peer sent a write that is not kept yet; whether it is told.
    ///
    /// A write that only changes fields is not, as nobody knows yet of what.
    package mutating func expect(_ write: Write) -> Bool {
        guard write.identity.kind == .currentActivity else { return false }
        let known = entries[write.identity]
        if let stamp = known?.stamp, write.stamp <= stamp { return false }
        guard let state = State(write) else { return false }
        note(write.identity, state, stamp: write.stamp, expected: (known?.expected ?? 0) + 1)
        return true
    }

    /// The store has taken a batch, of which those were told before; what changed is as it is now.
    package mutating func keep(_ changed: some Sequence<Record>, expected: Set<RecordIdentity>) {
        var doubtful = expected
        for identity in expected { entries[identity]?.expected -= 1 }
        for record in changed where record.identity.kind == .currentActivity {
            doubtful.remove(record.identity)
            let (known, state) = (entries[record.identity], State(record))
            if let known {
                // Something later was told already, and will be kept or not.
                if known.expected > 0, let stamp = known.stamp, record.incarnation < stamp { continue }
                if known.state == state, known.stamp == record.incarnation { continue }
            }
            note(record.identity, state, stamp: record.incarnation, expected: known?.expected ?? 0)
        }
        // What was told and changed nothing was known here by a later write.
        doubt(doubtful)
    }

    /// The store did not take a batch of which those were told.
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

    /// Lets go of what is beyond the limits, the oldest first.
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

    /// What changed since the list had that number, in the order of numbers; nothing if that is not known any more.
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
    /// What a record is, as it is now.
    package init(_ record: Record) {
        guard let (name, activity) = record.activity, let fields = record.fields else {
            self = .gone
            return
        }
        self = .there(name, activity, fields)
    }

    /// What an activity of this device is, if it is offered.
    package init(_ name: ActivityName, _ offered: Activity?) {
        self = offered.map { .there(name, $0, $0.fields) } ?? .gone
    }

    /// What a write makes of its record if it is the last one.
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
