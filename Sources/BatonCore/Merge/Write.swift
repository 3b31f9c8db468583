/// One change to one record, named by its dot.
///
/// Nodes exchange these, and merge them in any order.
package struct Write: Equatable, Sendable {
    package let dot: Dot
    package let identity: RecordIdentity
    /// The name of the record; a deletion lets go of it.
    package let name: [UInt8]?
    package let stamp: Stamp
    package let action: Action

    /// A write to the record of that key.
    package init(dot: Dot, key: RecordKey, stamp: Stamp, action: Action) {
        self.init(dot: dot, identity: key.identity, name: key.name, stamp: stamp, action: action)
    }

    /// A write to the record of that identity, which has that name.
    package init(dot: Dot, identity: RecordIdentity, name: [UInt8], stamp: Stamp, action: Action) {
        precondition(dot.origin.lane == identity.kind.lane, "a record is written in the lane of its kind")
        (self.dot, self.identity, self.stamp, self.action) = (dot, identity, stamp, action)
        self.name = if case .deletion = action { nil } else { name }
    }

    /// The deletion of a record whose name is not known any more.
    package init(deleting identity: RecordIdentity, dot: Dot, stamp: Stamp) {
        self.init(dot: dot, identity: identity, name: [], stamp: stamp, action: .deletion)
    }

    /// The same write by another name.
    package func named(_ dot: Dot) -> Write {
        Write(dot: dot, identity: identity, name: name ?? [], stamp: stamp, action: action)
    }

    /// What a write does to its record.
    package enum Action: Equatable, Sendable {
        /// Begins an incarnation with these fields and no others.
        case full(Content)
        /// Begins an incarnation in which the record is not there.
        case deletion
        /// Changes some fields of the incarnation that the stamp names, and of no other.
        case partial(of: Stamp, Fields)
        /// Sets counters, each a field of one device's own, that were begun with that stamp. They belong to no
        /// incarnation: what is larger than their beginning ends them.
        case count(begun: Stamp, Content)
    }

    /// What a full write or a counter says.
    package struct Content: Equatable, Sendable {
        /// Where the record belongs.
        package let scope: Scope
        package let fields: Fields

        package init(scope: Scope = .none, fields: Fields) { (self.scope, self.fields) = (scope, fields) }
    }

    /// The key of the record, unless it was deleted.
    package var key: RecordKey? { name.map { RecordKey(kind: identity.kind, name: $0) } }

    /// Whether it was named once more by another life than the one that made it.
    package var isAdopted: Bool { stamp.life != dot.origin.life }

    /// Whether this write begins no incarnation.
    package var isPartial: Bool {
        switch action {
        case .full, .deletion: false
        case .partial, .count: true
        }
    }

    /// Whether this write begins an incarnation in which the record is there.
    package var isFull: Bool { if case .full = action { true } else { false } }

    /// Whether this write does nothing at all.
    package var isEmpty: Bool {
        switch action {
        case .full, .deletion: false
        case .partial(_, let fields): fields.isEmpty
        case .count(_, let content): content.fields.isEmpty
        }
    }

    /// Whether both are one write, or what is left of it.
    ///
    /// The dot alone says so unless a device is faulty.
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

    /// The latest time that this write speaks of and that clocks follow; clocks here must not stand before it.
    package var latestTime: HybridTime {
        let times = times
        return max(
            times.own.isNeverFollowed ? .zero : times.own, times.named.isNeverFollowed ? .zero : times.named)
    }

    /// Whether the write has a time that no wall clock is believed to show, or names one.
    package var hasUnbelievedTime: Bool {
        let times = times
        return max(times.own, times.named).isUnbelieved
    }

    /// Whether a record that this write opens may be let go: of later times no clock is certain to be later still.
    package var mayBeLetGo: Bool { !hasUnbelievedTime }

    /// The times of its stamp, and of the stamp that it names.
    private var times: (own: HybridTime, named: HybridTime) {
        switch action {
        case .full, .deletion: (stamp.time, .zero)
        case .partial(let base, _): (stamp.time, base.time)
        case .count(let begun, _): (stamp.time, begun.time)
        }
    }
}
