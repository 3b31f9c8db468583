/// What all the writes to one key amount to: the rule by which two states of an account become one.
///
/// The larger incarnation wins whole; within one, each field keeps its largest stamp. A counter lives while
/// nothing larger than its beginning ends it. The outcome does not depend on the order, the repetition or the
/// path in which writes arrive.
///
/// Commands are `merge(_:)` and `clear(_:)`; everything else is a query.
package struct Record: Equatable, Sendable {
    package let identity: RecordIdentity
    /// The name of the record; nothing where only a deletion is known.
    package private(set) var name: [UInt8]?
    /// The stamp of the full write or deletion that this incarnation began with; the least if there was none.
    package private(set) var incarnation = Stamp.least
    private(set) var opening = Opening.awaited
    /// Fields that partial writes changed.
    private(set) var updates: [FieldName: Update] = [:]
    /// Fields that belong to no incarnation.
    private(set) var counters: [CounterName: Counter] = [:]

    /// How the incarnation began, as far as that is known here.
    enum Opening: Equatable, Sendable {
        /// Nothing began it, or a partial write arrived before what it changes.
        case awaited
        case full(Dot, Write.Content)
        case deletion(Dot)
    }

    /// The last change of one field.
    struct Update: Equatable, Sendable {
        let origin: WriteName
        let value: [UInt8]
    }

    /// Names a counter by its field and where it belongs.
    ///
    /// One that moves leaves what it was where it was, so that a clear finds what it covers, whatever came first.
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

    /// The write that a field came with.
    ///
    /// A dot has one stamp unless a device is faulty; both are kept, so that even then all agree.
    package struct WriteName: Hashable, Comparable {
        package let stamp: Stamp
        package let dot: Dot

        init(stamp: Stamp, dot: Dot) { (self.stamp, self.dot) = (stamp, dot) }

        init(_ write: Write) { self.init(stamp: write.stamp, dot: write.dot) }

        package static func < (left: Self, right: Self) -> Bool {
            (left.stamp, left.dot) < (right.stamp, right.dot)
        }
    }

    /// A record of which nothing is known yet.
    package init(_ identity: RecordIdentity) { self.identity = identity }

    /// The record that a first write makes.
    package init(_ write: Write) {
        self.init(write.identity)
        _ = merge(write)
    }

    /// What writes to one record amount to; there is at least one.
    package init(merging writes: [Write]) {
        self.init(writes[0])
        for write in writes.dropFirst() { _ = merge(write) }
    }

    // MARK: Commands

    /// Takes a write to this record into account; false if nothing changed.
    package mutating func merge(_ write: Write) -> Bool {
        precondition(write.identity == identity, "a write is merged into its own record")
        // A write without fields leaves no trace; if it began an incarnation, who missed it would differ.
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

    /// Takes a clear into account; false if it does not concern this record.
    ///
    /// What is cleared leaves the trace of a deletion with the stamp and dot that it had, so that what
    /// arrives late finds it.
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
        // A partial write that waits for its full one keeps the name.
        if !isThere, updates.isEmpty { name = nil }
        return isChanged
    }

    /// Sweeps what has expired at that time; nothing if the record stays as it is.
    ///
    /// Where an update says when it expires, every device must have that update, which is then covered by `stable`: it
    /// goes with the record, and the trace has the dot of the full write, which others may have without it. They would
    /// never be told, and show the record for ever. One that is set back may lack it again; so the store that sweeps has
    /// let go of that update, which is the answer.
    ///
    /// It leaves what a clear leaves. Counters have no part in an incarnation and would outlive it, and be seen alone;
    /// so a record that has some stays. Of the kinds that are swept only a faulty device makes one.
    package mutating func sweep(expiredAt time: WallTime, stable: VersionVector) -> [WriteName]? {
        guard isExpired(at: time), counters.isEmpty, identity.kind.isSwept, case .full(let dot, _) = opening
        else { return nil }
        let update = updates[.expiration]?.origin
        if let update, !stable.covers(update.dot) { return nil }
        return open(.deletion(dot), name: nil) ? update.map { [$0] } ?? [] : nil
    }

    #if DEBUG
        /// A clear that judges counters by where they were counted last.
        private mutating func clearByPresentDomain(_ clear: Clear) -> Bool {
            let last = lastCounters
            let living = counters.filter { name, counter in
                !clear.covers(last[name.field]?.scope ?? name.scope, counter.begun)
            }
            defer { counters = living }
            return living.count < counters.count
        }
    #endif

    /// Goes to the incarnation of that stamp if it is larger; false if it is smaller.
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
        // What stands above a change only grows, so that it makes no difference when it falls out.
        guard let least = updates.min(by: { ($0.value.origin, $0.key) < ($1.value.origin, $1.key) })?.key
        else {
            preconditionFailure("there are too many")
        }
        updates[least] = nil
        return least != name
    }

    /// How many fields of one incarnation may be changed; the last changes are kept.
    package static let updatesMost = Fields.countMost

    private mutating func count(_ name: CounterName, _ candidate: Counter) -> Bool {
        if let standing = counters[name], !Self.precedes(standing, candidate) { return false }
        counters[name] = candidate
        return true
    }
}
