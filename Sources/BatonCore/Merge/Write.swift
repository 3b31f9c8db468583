/// One change to one record; its dot is its name.
///
/// Nodes send writes to each other, and merge them in any order.
package struct Write: Equatable, Sendable {
    package let dot: Dot
    package let identity: RecordIdentity
    /// The name of the record; nil for a deletion.
    package let name: [UInt8]?
    package let stamp: Stamp
    package let action: Action

    /// Creates a write to the record with this key.
    package init(dot: Dot, key: RecordKey, stamp: Stamp, action: Action) {
        self.init(dot: dot, identity: key.identity, name: key.name, stamp: stamp, action: action)
    }

    /// Creates a write to the record with this identity and name.
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
        /// Begins an incarnation that has these fields and no others.
        case full(Content)
        /// Begins an incarnation in which the record is deleted.
        case deletion
        /// Changes some fields of the incarnation that has this stamp, and of no other incarnation.
        case partial(of: Stamp, Fields)
        /// Sets counters that began with this stamp; each counter is a field that belongs to one device.
        ///
        /// Counters belong to no incarnation. Anything that has a larger stamp than their beginning ends them.
        case count(begun: Stamp, Content)
    }

    /// The content of a full write or a counter.
    package struct Content: Equatable, Sendable {
        /// The scope of the record.
        package let scope: Scope
        package let fields: Fields

        package init(scope: Scope = .none, fields: Fields) { (self.scope, self.fields) = (scope, fields) }
    }

    /// The key of the record; nil if this write is a deletion.
    package var key: RecordKey? { name.map { RecordKey(identity, name: $0) } }

    /// Whether the write was adopted: another life than that of its author gave it a new dot.
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

    /// Whether this write has no fields and so changes nothing.
    package var isEmpty: Bool {
        switch action {
        case .full, .deletion: false
        case .partial(_, let fields): fields.isEmpty
        case .count(_, let content): content.fields.isEmpty
        }
    }

    /// Whether the other write is the same write, or the part of it that is left after merging.
    ///
    /// If no device is faulty, two writes with equal dots are always the same write.
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

    /// The latest time in this write that clocks follow.
    ///
    /// After this write is received, the clock here must not be behind this time.
    package var latestTime: HybridTime {
        let times = times
        return max(
            times.own.isNeverFollowed ? .zero : times.own, times.named.isNeverFollowed ? .zero : times.named)
    }

    /// Whether a time in this write is so late that a wall clock is not believed to show it.
    package var hasUnbelievedTime: Bool {
        let times = times
        return max(times.own, times.named).isUnbelieved
    }

    /// Whether a tombstone that this write leaves may be garbage-collected.
    ///
    /// A time that is not believed prevents this, because no clock is certain to pass it.
    package var isCollectable: Bool { !hasUnbelievedTime }

    /// The time of the write's own stamp, and the time of the stamp to which the write refers.
    private var times: (own: HybridTime, named: HybridTime) {
        switch action {
        case .full, .deletion: (stamp.time, .zero)
        case .partial(let base, _): (stamp.time, base.time)
        case .count(let begun, _): (stamp.time, begun.time)
        }
    }
}
