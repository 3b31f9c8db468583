/// One change to one record, named by its dot.
///
/// Nodes exchange writes, and merge them in any order.
package struct Write: Equatable, Sendable {
    package let dot: Dot
    package let identity: RecordIdentity
    /// The name of the record; nil for a deletion.
    package let name: [UInt8]?
    package let stamp: Stamp
    package let action: Action

    /// Creates a write to the record with that key.
    package init(dot: Dot, key: RecordKey, stamp: Stamp, action: Action) {
        self.init(dot: dot, identity: key.identity, name: key.name, stamp: stamp, action: action)
    }

    /// Creates a write to the record with that identity and name.
    package init(dot: Dot, identity: RecordIdentity, name: [UInt8], stamp: Stamp, action: Action) {
        precondition(dot.origin.lane == identity.kind.lane, "a record is written in the lane of its kind")
        self.dot = dot
        self.identity = identity
        self.stamp = stamp
        self.action = action
        self.name = if case .deletion = action { nil } else { name }
    }

    /// Creates the deletion of a record whose name is no longer known.
    package init(deleting identity: RecordIdentity, dot: Dot, stamp: Stamp) {
        self.init(dot: dot, identity: identity, name: [], stamp: stamp, action: .deletion)
    }

    /// Returns the same write under another dot.
    package func named(_ dot: Dot) -> Write {
        Write(dot: dot, identity: identity, name: name ?? [], stamp: stamp, action: action)
    }

    /// The effect of a write on its record.
    package enum Action: Equatable, Sendable {
        /// Begins an incarnation with these fields and no others.
        case full(Content)
        /// Begins an incarnation in which the record is deleted.
        case deletion
        /// Changes some fields of the incarnation with this stamp, and of no other.
        case partial(of: Stamp, Fields)
        /// Sets counters that began with this stamp; each is a field that belongs to one device. Counters belong to no
        /// incarnation: anything with a larger stamp than their beginning ends them.
        case count(begun: Stamp, Content)
    }

    /// The content of a full write or a counter.
    package struct Content: Equatable, Sendable {
        /// The scope of the record.
        package let scope: Scope
        package let fields: Fields

        package init(scope: Scope = .none, fields: Fields) { (self.scope, self.fields) = (scope, fields) }
    }

    /// The key of the record, unless it was deleted.
    package var key: RecordKey? { name.map { RecordKey(identity, name: $0) } }

    /// Whether a life other than its author's gave this write a new dot.
    package var isAdopted: Bool { stamp.life != dot.origin.life }

    /// Whether this write begins no incarnation.
    package var isPartial: Bool {
        switch action {
        case .full, .deletion: false
        case .partial, .count: true
        }
    }

    /// Whether this write begins an incarnation in which the record exists.
    package var isFull: Bool { if case .full = action { true } else { false } }

    /// Whether this write changes nothing at all.
    package var isEmpty: Bool {
        switch action {
        case .full, .deletion: false
        case .partial(_, let fields): fields.isEmpty
        case .count(_, let content): content.fields.isEmpty
        }
    }

    /// Whether both are the same write, or what remains of it after merging.
    ///
    /// Equal dots suffice for this unless a device is faulty.
    package func isSame(as other: Write) -> Bool {
        guard dot == other.dot, stamp == other.stamp else { return false }
        switch (action, other.action) {
        case (.full, .full), (.full, .deletion), (.deletion, .full), (.deletion, .deletion): return true
        case (.partial(let base, _), .partial(let other, _)): return base == other
        case (.count(let begun, let content), .count(let other, let others)):
            return begun == other && content.scope == others.scope
        default: return false
        }
    }

    /// The latest time in this write that clocks follow; the clock here must not stay behind it.
    package var latestTime: HybridTime {
        let times = times
        return max(
            times.own.isNeverFollowed ? .zero : times.own, times.named.isNeverFollowed ? .zero : times.named)
    }

    /// Whether the write's own time or the time that it refers to is beyond what a wall clock is believed to show.
    package var hasUnbelievedTime: Bool {
        let times = times
        return max(times.own, times.named).isUnbelieved
    }

    /// Whether a tombstone from this write may be garbage-collected: no clock is certain to move past an unbelieved
    /// time.
    package var isCollectable: Bool { !hasUnbelievedTime }

    /// The time of the write's stamp, and the time of the stamp that the write refers to.
    private var times: (own: HybridTime, named: HybridTime) {
        switch action {
        case .full, .deletion: (stamp.time, .zero)
        case .partial(let base, _): (stamp.time, base.time)
        case .count(let begun, _): (stamp.time, begun.time)
        }
    }
}
