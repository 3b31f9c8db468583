/// The state of one record, merged from all writes to the record.
///
/// By this merging, two states of an account become one.
///
/// A larger incarnation replaces a smaller one entirely. Within one incarnation, each field has the value with the
/// largest stamp. A counter lives until something ends it that has a larger stamp than the counter's beginning. The
/// result does not depend on the order, the repetition or the path in which writes arrive.
///
/// The methods `merge(_:)`, `clear(_:)` and `sweep(expiredAt:stable:)` change the record. All other methods are
/// queries.
package struct Record: Equatable, Sendable {
    package let identity: RecordIdentity
    /// The name of the record; nil if only its deletion is known.
    package private(set) var name: [UInt8]?
    /// The stamp of the full write or deletion that began this incarnation; the smallest stamp if there was none.
    package private(set) var incarnation = Stamp.least
    private(set) var opening = Opening.awaited
    /// The last changes of fields by partial writes.
    private(set) var updates: [FieldName: Update] = [:]
    /// The counters, which belong to no incarnation.
    private(set) var counters: [CounterName: Counter] = [:]

    /// The way in which the incarnation began, as far as it is known here.
    enum Opening: Equatable, Sendable {
        /// Nothing has begun the incarnation yet.
        ///
        /// If there are updates, a partial write has arrived before the write that it changes.
        case awaited
        case full(Dot, Write.Content)
        case deletion(Dot)
    }

    /// The last change of one field.
    struct Update: Equatable, Sendable {
        let origin: WriteName
        let value: [UInt8]
    }

    /// The name of a counter: its field and its scope.
    ///
    /// If a counter moves to another scope, its earlier value stays in the old scope. So a clear of a scope ends the same
    /// values, whether it arrives before or after the move.
    struct CounterName: Hashable, Sendable {
        let field: FieldName
        let scope: Scope
    }

    /// The last value of one counter.
    struct Counter: Equatable, Sendable {
        let origin: WriteName
        let begun: Stamp
        let value: [UInt8]
    }

    /// The name of the write that set a field: its stamp and its dot.
    ///
    /// A dot has only one stamp, unless a device is faulty. Because both are kept, all devices agree even then.
    package struct WriteName: Hashable, Comparable {
        package let stamp: Stamp
        package let dot: Dot

        init(stamp: Stamp, dot: Dot) { (self.stamp, self.dot) = (stamp, dot) }

        init(_ write: Write) { self.init(stamp: write.stamp, dot: write.dot) }

        package static func < (left: Self, right: Self) -> Bool {
            (left.stamp, left.dot) < (right.stamp, right.dot)
        }
    }

    /// Creates a record without any writes.
    package init(_ identity: RecordIdentity) { self.identity = identity }

    /// Creates a record from its first write.
    package init(_ write: Write) {
        self.init(write.identity)
        _ = merge(write)
    }

    /// Creates a record by merging writes; there must be at least one.
    package init(merging writes: [Write]) {
        self.init(writes[0])
        for write in writes.dropFirst() { _ = merge(write) }
    }

    // MARK: Commands

    /// Merges a write into this record; returns false if nothing changed.
    package mutating func merge(_ write: Write) -> Bool {
        precondition(write.identity == identity, "a write is merged into its own record")
        // A write without fields must not change anything. Such a write does not survive. If it began an incarnation,
        // devices that miss the write would differ permanently.
        guard !write.isEmpty else { return false }
        if identity.kind.isPermanent, !write.isFull { return false }
        switch write.action {
        case .full(let content):
            guard begin(write.stamp) else { return false }
            return open(.full(write.dot, content), name: write.name)
        case .deletion:
            guard begin(write.stamp) else { return false }
            return open(.deletion(write.dot), name: nil)
        case .partial(let base, let fields):
            guard begin(base) else { return false }
            if case .deletion = opening { return false }
            var isChanged = false
            for field in fields {
                let candidate = Update(origin: WriteName(write), value: Array(field.value))
                if update(field.name, candidate) { isChanged = true }
            }
            if isChanged { name = write.name }
            return isChanged
        case .count(let begun, let content):
            guard begun > incarnation else { return false }
            var isChanged = false
            for field in content.fields {
                let counter = Counter(origin: WriteName(write), begun: begun, value: Array(field.value))
                if count(CounterName(field: field.name, scope: content.scope), counter) { isChanged = true }
            }
            if isChanged { name = write.name }
            return isChanged
        }
    }

    /// Applies a clear; returns false if the clear does not change this record.
    ///
    /// A full write that is cleared leaves a tombstone, which has the stamp and the dot of the write. So older writes
    /// that arrive later have no effect.
    package mutating func clear(_ clear: Clear) -> Bool {
        guard !identity.kind.isPermanent else { return false }
        var isChanged = false
        if case .full(let dot, let content) = opening, clear.covers(content.scope, incarnation) {
            isChanged = open(.deletion(dot), name: nil)
        }
        let living = counters.filter { !clear.covers($0.key.scope, $0.value.begun) }
        if living.count < counters.count { (counters, isChanged) = (living, true) }
        // If a partial write is waiting for its full write, the name is still needed.
        if !isThere, updates.isEmpty { name = nil }
        return isChanged
    }

    /// Sweeps the record if it has expired at `time`; returns nil if the record is not swept.
    ///
    /// A swept record becomes a tombstone, as if a clear had ended it. The result has the update of the expiration, if
    /// there was one.
    ///
    /// A partial write may have updated the expiration. In this case, the record is swept only if `stable` covers that
    /// update, which means that every device has it. The reason is that the sweep removes the update, and the tombstone
    /// has the dot of the full write. A device with the full write but without the update would never be sent the
    /// update, and would show the record forever. A device that is restored from a backup may lack the update again. So
    /// the store must count the update as dropped.
    ///
    /// A record with counters is not swept. Counters belong to no incarnation, so they would survive the sweep and be
    /// shown alone. In the kinds of records that are swept, only a faulty device writes counters.
    package mutating func sweep(expiredAt time: WallTime, stable: VersionVector) -> [WriteName]? {
        guard isExpired(at: time), counters.isEmpty, identity.kind.isSwept, case .full(let dot, _) = opening
        else { return nil }
        let update = updates[.expiration]?.origin
        if let update, !stable.covers(update.dot) { return nil }
        return open(.deletion(dot), name: nil) ? update.map { [$0] } ?? [] : nil
    }

    // MARK: How writes merge

    /// Moves to the incarnation with this stamp if it is larger than the present one; returns false if it is smaller.
    private mutating func begin(_ stamp: Stamp) -> Bool {
        guard stamp >= incarnation else { return false }
        guard stamp > incarnation else { return true }
        (incarnation, opening, updates) = (stamp, .awaited, [:])
        counters = counters.filter { $0.value.begun > stamp }
        return true
    }

    private mutating func open(_ arriving: Opening, name: [UInt8]?) -> Bool {
        let candidate = Self.joined(opening, arriving)
        guard candidate != opening else { return false }
        opening = candidate
        if case .deletion = candidate {
            updates = [:]
            if counters.isEmpty { self.name = nil }
        } else {
            self.name = name
        }
        return true
    }

    private mutating func update(_ name: FieldName, _ candidate: Update) -> Bool {
        if let standing = updates[name], !Self.precedes(standing, candidate) { return false }
        updates[name] = candidate
        guard updates.count > Self.updatesMost else { return true }
        // The number of later changes only grows. So a change that is dropped here would be dropped in any order of
        // arrival.
        guard let least = updates.min(by: { ($0.value.origin, $0.key) < ($1.value.origin, $1.key) })?.key
        else {
            preconditionFailure("there are too many")
        }
        updates[least] = nil
        return least != name
    }

    /// The largest number of fields of one incarnation that updates can change; the latest changes are kept.
    package static let updatesMost = Fields.countMost

    private mutating func count(_ name: CounterName, _ candidate: Counter) -> Bool {
        if let standing = counters[name], !Self.precedes(standing, candidate) { return false }
        counters[name] = candidate
        return true
    }

    /// Merges two openings that have the same stamp.
    ///
    /// Two writes have the same stamp only if a node is faulty, if the clock has run out of times, or if a write was
    /// sent again under another dot. In this case, the write with the later dot wins. If the dots are equal, the
    /// content decides, in the same way on all devices.
    ///
    /// There is one exception: a deletion wins against all full writes with its stamp. The deletion removes the updates
    /// that belong to the stamp, and a full write could not bring them back. The deletion gets the later dot, as if a
    /// clear had turned that full write into a deletion.
    private static func joined(_ standing: Opening, _ arriving: Opening) -> Opening {
        switch (standing, arriving) {
        case (.awaited, let opening), (let opening, .awaited): opening
        case (.deletion(let dot), .deletion(let other)), (.deletion(let dot), .full(let other, _)),
            (.full(let dot, _), .deletion(let other)):
            .deletion(max(dot, other))
        case (.full(let dot, let content), .full(let other, let others)):
            if dot == other {
                content.encoded.lexicographicallyPrecedes(others.encoded) ? arriving : standing
            } else {
                dot < other ? arriving : standing
            }
        }
    }

    private static func precedes(_ standing: Update, _ candidate: Update) -> Bool {
        standing.origin == candidate.origin
            ? standing.value.lexicographicallyPrecedes(candidate.value) : standing.origin < candidate.origin
    }

    private static func precedes(_ standing: Counter, _ candidate: Counter) -> Bool {
        if standing.begun != candidate.begun { return standing.begun < candidate.begun }
        return standing.origin == candidate.origin
            ? standing.value.lexicographicallyPrecedes(candidate.value) : standing.origin < candidate.origin
    }

    // MARK: Queries

    /// The key of the record; nil if only its deletion is known.
    package var key: RecordKey? { name.map { RecordKey(identity, name: $0) } }

    /// Whether the record exists, because it was written in full and not deleted, or because it has a counter.
    package var isThere: Bool {
        if case .full = opening { return true }
        return !counters.isEmpty
    }

    /// Whether the record was deleted and the deletion is known here.
    package var isDeleted: Bool { if case .deletion = opening { !isThere } else { false } }

    /// Whether at least one write to this record survives.
    package var isTraced: Bool { opening != .awaited || !updates.isEmpty || !counters.isEmpty }

    /// The current fields; nil if the record is deleted, or if its beginning is not known here.
    package var fields: Fields? {
        guard isThere else { return nil }
        let written = if case .full(_, let content) = opening { content.fields } else { Fields() }
        // Most records consist of a single write.
        if updates.isEmpty, counters.isEmpty { return written }
        let changes = changes
        if changes.isEmpty { return written }
        let changed = Fields { fields in
            for (name, change) in changes.sorted(by: { $0.key < $1.key }) {
                fields.field(name) { $0.encoded(change.value) }
            }
        }
        return changed.completed(by: written)
    }

    /// The scope and the current fields of the record; nil unless the record exists and a full write began it.
    package var content: Write.Content? {
        guard case .full(_, let written) = opening, let fields else { return nil }
        return Write.Content(scope: written.scope, fields: fields)
    }

    /// The time when the record expires; nil if it does not expire.
    ///
    /// All kinds of records have this time in the same field, so it can be read even if the kind is unknown.
    package var expiration: WallTime? {
        do throws(CBORError) {
            return try fields?.time(0)
        } catch {
            // A record whose expiration is not a date does not expire.
            return nil
        }
    }

    /// Whether the record expires at or before a time.
    package func isExpired(at time: WallTime) -> Bool { expiration.map { $0 <= time } ?? false }

    /// The visible fields that were changed after the full write, each with its value and stamp.
    private var changes: [FieldName: (value: [UInt8], stamp: Stamp)] {
        var changes: [FieldName: (value: [UInt8], stamp: Stamp)] = [:]
        if case .full = opening {
            for (name, update) in updates where update.origin.stamp >= incarnation {
                changes[name] = (update.value, update.origin.stamp)
            }
        }
        for (name, last) in lastCounters { changes[name] = (last.counter.value, last.counter.origin.stamp) }
        return changes
    }

    /// The last value of each counter, in all scopes, and the scope of that value.
    var lastCounters: [FieldName: (counter: Counter, scope: Scope)] {
        var last: [FieldName: (counter: Counter, scope: Scope)] = [:]
        for (name, counter) in counters {
            if let (standing, scope) = last[name.field] {
                let isLater =
                    standing == counter
                    ? scope.encoded.lexicographicallyPrecedes(name.scope.encoded)
                    : Self.precedes(standing, counter)
                guard isLater else { continue }
            }
            last[name.field] = (counter, name.scope)
        }
        return last
    }

    /// The digest of this record for the state digest; it covers the key, the visible fields, and all stamps.
    ///
    /// A tombstone does not count, even if there are counters beside it.
    package var digest: StateDigest {
        guard isThere, !identity.kind.isClear, let name, let fields else { return StateDigest() }
        var writer = CBORWriter(reserving: name.count + fields.encodedCount + 64)
        writer.unsigned(identity.kind.rawValue)
        writer.encoded(name)
        let begun = if case .full = opening { incarnation } else { Stamp.least }
        begun.encode(to: &writer)
        fields.encode(to: &writer)
        if updates.isEmpty, counters.isEmpty { return StateDigest(of: writer.bytes) }
        for (name, change) in changes.sorted(by: { $0.key < $1.key }) {
            name.encode(to: &writer)
            change.stamp.encode(to: &writer)
        }
        return StateDigest(of: writer.bytes)
    }

    /// Returns the digest of this record at a time; the digest is empty if the record has expired by then.
    package func digest(at time: WallTime) -> StateDigest { isExpired(at: time) ? StateDigest() : digest }

    // MARK: The writes that are left

    /// The surviving writes of this record, in the order of their dots; each is within the limits of a write.
    ///
    /// A partial write has only those of its fields that are still current. Merging the surviving writes into an empty
    /// record gives this record again.
    package var survivingWrites: [Write] {
        var writes: [Write] = []
        switch opening {
        case .awaited: break
        case .full(let dot, let content):
            writes.append(write(WriteName(stamp: incarnation, dot: dot), .full(content)))
        case .deletion(let dot):
            writes.append(Write(deleting: identity, dot: dot, stamp: incarnation))
        }
        if !updates.isEmpty {
            var groups: [WriteName: FieldsWriter] = [:]
            for (name, update) in updates.sorted(by: { $0.key < $1.key }) {
                groups[update.origin, default: FieldsWriter()].field(name) { $0.encoded(update.value) }
            }
            for (origin, fields) in groups {
                for part in Fields(fields).parts {
                    writes.append(write(origin, .partial(of: incarnation, part)))
                }
            }
        }
        if !counters.isEmpty {
            for (group, fields) in groupedCounters {
                for part in Fields(fields).parts {
                    let content = Write.Content(scope: group.scope, fields: part)
                    writes.append(write(group.origin, .count(begun: group.begun, content)))
                }
            }
        }
        return writes.count < 2 ? writes : writes.sorted { $0.precedes($1) }
    }

    /// Returns a write to this record; the record must have a name.
    private func write(_ origin: WriteName, _ action: Write.Action) -> Write {
        guard let name else { preconditionFailure("only a deleted record has no name") }
        return Write(dot: origin.dot, identity: identity, name: name, stamp: origin.stamp, action: action)
    }

    /// The properties that all counters of one write have in common.
    private struct CounterGroup: Hashable {
        let origin: WriteName, begun: Stamp, scope: Scope
    }

    private var groupedCounters: [CounterGroup: FieldsWriter] {
        var groups: [CounterGroup: FieldsWriter] = [:]
        for (name, counter) in counters.sorted(by: { $0.key.field < $1.key.field }) {
            let group = CounterGroup(origin: counter.origin, begun: counter.begun, scope: name.scope)
            groups[group, default: FieldsWriter()].field(name.field) { $0.encoded(counter.value) }
        }
        return groups
    }
}

extension Write.Content {
    /// The encoding of this content outside a batch.
    var encoded: [UInt8] {
        var writer = CBORWriter()
        encode(to: &writer)
        return writer.bytes
    }
}

extension Write {
    /// Whether this write comes before another one in the list of a record's surviving writes.
    ///
    /// All devices have the same order, even if a device is faulty.
    fileprivate func precedes(_ other: Write) -> Bool {
        if dot != other.dot { return dot < other.dot }
        if stamp != other.stamp { return stamp < other.stamp }
        if rank != other.rank { return rank < other.rank }
        guard case .count(let begun, let content) = action,
            case .count(let beginning, let others) = other.action
        else { return false }
        return begun == beginning
            ? content.scope.encoded.lexicographicallyPrecedes(others.scope.encoded) : begun < beginning
    }

    private var rank: Int {
        switch action {
        case .deletion: 0
        case .full: 1
        case .partial: 2
        case .count: 3
        }
    }
}
