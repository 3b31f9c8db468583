/// The state of one record, merged from all writes to its key: the rule by which two account states become one.
///
/// The larger incarnation replaces the smaller one entirely; within one incarnation, each field keeps its largest
/// stamp. A counter lives until something with a larger stamp than its beginning ends it. The outcome does not depend
/// on the order, the repetition or the path in which writes arrive.
///
/// Commands are `merge(_:)` and `clear(_:)`; everything else is a query.
package struct Record: Equatable, Sendable {
    package let identity: RecordIdentity
    /// The name of the record; nil if only a deletion is known.
    package private(set) var name: [UInt8]?
    /// The stamp of the full write or deletion that began this incarnation; the least stamp if there was none.
    package private(set) var incarnation = Stamp.least
    private(set) var opening = Opening.awaited
    /// The fields that partial writes changed.
    private(set) var updates: [FieldName: Update] = [:]
    /// The counters; they belong to no incarnation.
    private(set) var counters: [CounterName: Counter] = [:]

    /// The way in which the incarnation began, as far as it is known here.
    enum Opening: Equatable, Sendable {
        /// Nothing has begun it yet, or a partial write arrived before the write that it changes.
        case awaited
        case full(Dot, Write.Content)
        case deletion(Dot)
    }

    /// The last change of one field.
    struct Update: Equatable, Sendable {
        let origin: WriteName
        let value: [UInt8]
    }

    /// Names a counter by its field and its scope.
    ///
    /// A counter that moves to another scope leaves its earlier value in the old one, so that a clear finds what it
    /// covers in any order of arrival.
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

    /// Names the write that set a field.
    ///
    /// A dot has one stamp unless a device is faulty; both are kept, so that all devices agree even then.
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

    /// Creates a record by merging at least one write.
    package init(merging writes: [Write]) {
        self.init(writes[0])
        for write in writes.dropFirst() { _ = merge(write) }
    }

    // MARK: Commands

    /// Merges a write to this record; returns false if nothing changed.
    package mutating func merge(_ write: Write) -> Bool {
        precondition(write.identity == identity, "a write is merged into its own record")
        // A write without fields must not change anything: if it began an incarnation, a device that missed it would
        // differ.
        guard !write.isEmpty else { return false }
        if identity.kind.isPermanent, !write.isFull { return false }
        switch write.action {
        case .full(let content):
            #if DEBUG
                if Faults.isPlanted(.fullWriteKeepsFields), let old = fields, begin(write.stamp) {
                    let both = Write.Content(
                        scope: content.scope, fields: content.fields.completed(by: old))
                    return open(.full(write.dot, both), name: write.name)
                }
            #endif
            guard begin(write.stamp) else { return false }
            return open(.full(write.dot, content), name: write.name)
        case .deletion:
            guard begin(write.stamp) else { return false }
            return open(.deletion(write.dot), name: nil)
        case .partial(let base, let fields):
            guard begin(base) else { return false }
            #if DEBUG
                if Faults.isPlanted(.partialUpdateRevives), case .deletion = opening {
                    (opening, name) = (.full(write.dot, Write.Content(fields: fields)), write.name)
                }
            #endif
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

    /// Applies a clear; returns false if it does not concern this record.
    ///
    /// A cleared full write leaves a tombstone with its stamp and dot, so that writes that arrive late meet it.
    package mutating func clear(_ clear: Clear) -> Bool {
        guard !identity.kind.isPermanent else { return false }
        var isChanged = false
        #if DEBUG
            if Faults.isPlanted(.deleteAllLeavesState), identity.kind.isCheckpoint { return false }
        #endif
        if case .full(let dot, let content) = opening, clear.covers(content.scope, incarnation) {
            isChanged = open(.deletion(dot), name: nil)
            #if DEBUG
                if Faults.isPlanted(.clearWithoutTrace) { opening = .awaited }
            #endif
        }
        #if DEBUG
            if Faults.isPlanted(.counterSurvivesClear) { return isChanged }
            if Faults.isPlanted(.clearByPresentDomain) { return clearByPresentDomain(clear) || isChanged }
        #endif
        let living = counters.filter { !clear.covers($0.key.scope, $0.value.begun) }
        if living.count < counters.count { (counters, isChanged) = (living, true) }
        // A partial write that waits for its full write keeps the name.
        if !isThere, updates.isEmpty { name = nil }
        return isChanged
    }

    /// Sweeps a record that has expired at that time; returns nil if the record stays as it is.
    ///
    /// If a partial update set the expiration, `stable` must cover that update, which means that every device has it.
    /// The sweep removes the update with the record, and the tombstone carries the dot of the full write. A device that
    /// had the full write but not the update would never be sent the update, and would show the record forever. A
    /// device restored from a backup may lack the update again. The store that sweeps must therefore count the update
    /// as dropped: the result names it.
    ///
    /// A sweep leaves the same tombstone as a clear. A record with counters is not swept: counters belong to no
    /// incarnation, so they would outlive it and be shown alone. Among the kinds that are swept, only a faulty device
    /// writes counters.
    package mutating func sweep(expiredAt time: WallTime, stable: VersionVector) -> [WriteName]? {
        guard isExpired(at: time), counters.isEmpty, identity.kind.isSwept, case .full(let dot, _) = opening
        else { return nil }
        let update = updates[.expiration]?.origin
        if let update, !stable.covers(update.dot) { return nil }
        return open(.deletion(dot), name: nil) ? update.map { [$0] } ?? [] : nil
    }

    #if DEBUG
        /// Applies a clear by the scope in which each counter was counted last.
        private mutating func clearByPresentDomain(_ clear: Clear) -> Bool {
            let last = lastCounters
            let living = counters.filter { name, counter in
                !clear.covers(last[name.field]?.scope ?? name.scope, counter.begun)
            }
            defer { counters = living }
            return living.count < counters.count
        }
    #endif

    /// Moves to the incarnation with that stamp if it is larger; returns false if it is smaller.
    private mutating func begin(_ stamp: Stamp) -> Bool {
        #if DEBUG
            if Faults.isPlanted(.tiesByArrival), stamp != incarnation, stamp.time == incarnation.time {
                (incarnation, opening, updates) = (stamp, .awaited, [:])
                return true
            }
        #endif
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
        // The set of later changes only grows, so a change that is dropped here would be dropped in any order of
        // arrival.
        guard let least = updates.min(by: { ($0.value.origin, $0.key) < ($1.value.origin, $1.key) })?.key
        else {
            preconditionFailure("there are too many")
        }
        updates[least] = nil
        return least != name
    }

    /// The most fields of one incarnation that updates may change; the latest changes are kept.
    package static let updatesMost = Fields.countMost

    private mutating func count(_ name: CounterName, _ candidate: Counter) -> Bool {
        if let standing = counters[name], !Self.precedes(standing, candidate) { return false }
        counters[name] = candidate
        return true
    }
}
