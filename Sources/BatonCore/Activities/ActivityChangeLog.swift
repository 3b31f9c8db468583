/// The last changes in the list of current activities, for watchers of the list.
///
/// Each change has a number. Only the last change of each activity is kept.
///
/// A change by a peer is reported before it is stored (`expect(_:)`), so that watchers see it as soon as it arrives.
/// When the store has answered, its state replaces the reported one (`keep(_:expected:)`).
///
/// If the number of a watcher is too old, this log no longer knows the changes since then. The watcher then requests
/// the whole list again, so it misses nothing.
package struct ActivityChangeLog: Sendable {
    /// The state of an activity after its last change.
    package enum State: Equatable, Sendable {
        case there(ActivityName, Activity)
        case gone
        /// The state is not known here, and must be read from the store.
        case unread
    }

    private struct Entry {
        var number: UInt64
        var state: State
        var bytes: Int
        /// The incarnation of the record, if the activity came from another device.
        var stamp: Stamp?
        /// The number of batches that contain a write of this activity and are not stored yet.
        var expected: Int
    }

    /// The number of the last change.
    package private(set) var number: UInt64
    /// The largest number of a change that is no longer known.
    private var forgotten: UInt64
    private var entries: [RecordIdentity: Boxed<Entry>] = [:]
    /// The changes in the order of their numbers.
    ///
    /// An earlier change stays in the list for a while after the activity has changed again.
    private var order: [(number: UInt64, identity: RecordIdentity)] = []
    private var bytes = 0

    /// The largest number of activities whose changes are remembered; if there are more, the oldest changes are
    /// forgotten.
    ///
    /// If the states take more than `bytesMost` bytes, the oldest states are read from the store instead.
    package static let most = 1024
    package static let bytesMost = 1 << 20

    /// Creates a log; `number` must be larger than every number of an earlier log of this node.
    package init(after number: UInt64) { (self.number, forgotten) = (number, number) }

    // MARK: Commands

    /// Makes every watcher request the whole list again.
    package mutating func beginAnew() {
        number += 1
        forgotten = number
        entries = [:]
        order = []
        bytes = 0
    }

    /// Notes that an activity of this device changed or ended, or that it must be read from the store again.
    ///
    /// A state that equals the known one is not a change.
    package mutating func recordState(_ identity: RecordIdentity, _ state: State) {
        if !state.isUnread, entries[identity]?.value.state == state { return }
        recordState(identity, state, stamp: nil, expected: entries[identity]?.value.expected ?? 0)
    }

    /// Notes a write that a peer sent and that is not stored yet; returns whether watchers are to see it.
    ///
    /// A partial write does not contain the whole activity, so watchers see it only when it is stored.
    package mutating func expect(_ write: Write) -> Bool {
        guard write.identity.kind == .currentActivity else { return false }
        let known = entries[write.identity]?.value
        if let stamp = known?.stamp, write.stamp <= stamp { return false }
        guard let state = State(write) else { return false }
        recordState(write.identity, state, stamp: write.stamp, expected: (known?.expected ?? 0) + 1)
        return true
    }

    /// Notes that a batch was stored.
    ///
    /// `changed` are the present states of its records. `expected` are the activities of the batch that `expect(_:)`
    /// has reported.
    package mutating func keep(_ changed: some Sequence<Record>, expected: Set<RecordIdentity>) {
        var doubtful = expected
        for identity in expected { entries[identity]?.value.expected -= 1 }
        for record in changed where record.identity.kind == .currentActivity {
            doubtful.remove(record.identity)
            let known = entries[record.identity]?.value
            if let known {
                // A later write was reported already. It is not known yet whether that write will be stored.
                if known.expected > 0, let stamp = known.stamp, record.incarnation < stamp { continue }
                if known.stamp == record.incarnation, known.state.isOf(record) { continue }
            }
            recordState(
                record.identity, State(record), stamp: record.incarnation, expected: known?.expected ?? 0)
        }
        // An expected write that changed nothing has lost against a later write in the store. The state of the activity
        // must be read.
        doubt(doubtful)
    }

    /// Notes that a batch could not be stored.
    ///
    /// `expected` are the activities of the batch that `expect(_:)` has reported.
    package mutating func refuse(_ expected: Set<RecordIdentity>) {
        for identity in expected { entries[identity]?.value.expected -= 1 }
        doubt(expected)
    }

    private mutating func doubt(_ identities: Set<RecordIdentity>) {
        for identity in identities.sorted() where entries[identity] != nil {
            recordState(identity, .unread, stamp: nil, expected: entries[identity]?.value.expected ?? 0)
        }
    }

    private mutating func recordState(
        _ identity: RecordIdentity, _ state: State, stamp: Stamp?, expected: Int
    ) {
        number += 1
        let size = state.byteCount
        let entry = Entry(
            number: number, state: state, bytes: size, stamp: stamp, expected: max(expected, 0))
        bytes += size
        if let place = entries.index(forKey: identity) {
            bytes -= entries.values[place].value.bytes
            entries.values[place].value = entry
        } else {
            entries[identity] = Boxed(entry)
        }
        order.append((number, identity))
        shrink()
    }

    /// Drops the oldest changes until the log is within its limits.
    private mutating func shrink() {
        while entries.count > Self.most {
            let oldest = order.removeFirst()
            guard let entry = entries[oldest.identity]?.value, entry.number == oldest.number else { continue }
            bytes -= entry.bytes
            entries[oldest.identity] = nil
            forgotten = oldest.number
        }
        if bytes > Self.bytesMost {
            for place in order where bytes > Self.bytesMost {
                guard let entry = entries[place.identity]?.value, entry.number == place.number,
                    entry.bytes > 0,
                    place.number != number
                else { continue }
                bytes -= entry.bytes
                entries[place.identity]?.value.state = .unread
                entries[place.identity]?.value.bytes = 0
            }
        }
        if order.count > 2 * Self.most { order.removeAll { entries[$0.identity]?.value.number != $0.number } }
    }

    // MARK: Queries

    /// Returns the changes with larger numbers than `number`, in ascending order; nil if some are no longer known.
    package func changes(after number: UInt64) -> [(number: UInt64, identity: RecordIdentity, state: State)]?
    {
        guard number >= forgotten, number <= self.number else { return nil }
        var changes: [(number: UInt64, identity: RecordIdentity, state: State)] = []
        for place in order.reversed() {
            if place.number <= number { break }
            guard let entry = entries[place.identity]?.value, entry.number == place.number else { continue }
            changes.append((place.number, place.identity, entry.state))
        }
        return changes.reversed()
    }
}

extension ActivityChangeLog.State {
    /// Whether the state must be read from the store.
    package var isUnread: Bool { if case .unread = self { true } else { false } }

    /// Creates the state that a record has now.
    package init(_ record: Record) {
        guard let (name, activity) = record.activity else {
            self = .gone
            return
        }
        self = .there(name, activity)
    }

    /// Whether this is the state of a record.
    ///
    /// The fields are compared first. The record is decoded only if that comparison does not decide.
    fileprivate func isOf(_ record: Record) -> Bool {
        if case .there(_, let activity) = self, let fields = record.fields, activity.isSpelled(by: fields) {
            return true
        }
        return self == Self(record)
    }

    /// Creates the state of an activity of this device; the state is `gone` if the activity is not offered.
    package init(_ name: ActivityName, _ offered: Activity?) {
        self = offered.map { .there(name, $0) } ?? .gone
    }

    /// Creates the state of the record after this write; nil if the write alone does not determine the state.
    fileprivate init?(_ write: Write) {
        switch write.action {
        case .deletion: self = .gone
        case .full(let content):
            let read = write.key.flatMap { Record.activity($0, content.fields) }
            self = read.map { .there($0.name, $0.activity) } ?? .gone
        case .partial, .count: return nil
        }
    }

    fileprivate var byteCount: Int {
        switch self {
        case .there(let name, let activity): activity.fields.encodedCount + name.key.name.count
        case .gone, .unread: 0
        }
    }
}
