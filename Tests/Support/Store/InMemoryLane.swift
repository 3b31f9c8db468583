package import BatonCore

/// One lane of an `InMemoryStore`: its records, and their surviving writes in the order of arrival.
package struct InMemoryLane: Equatable, Sendable {
    /// The records of which a write survives.
    package private(set) var records: [RecordIdentity: Record] = [:]
    private(set) var complete = VersionVector()
    /// The lineage of the claimed lives.
    private(set) var lineage = Lineage()
    private(set) var quarantined = QuarantinedWrites()
    /// Lives in which this device may have written more than is here.
    private(set) var abandoned: Set<Life> = []
    /// A vector that covers all collected tombstones.
    var dropped = VersionVector()
    /// The claims of peers about writes that they sent, as far as those are not claimed here yet.
    var promised = VersionVector()
    /// The writes that a peer has sent of a stream that has not ended.
    var openStreams: [DeviceIdentifier: VersionVector] = [:]
    /// All that this lane answered for before it gave up its claims.
    var givenUp = VersionVector()
    /// The progress of peers' snapshots.
    var snapshots: [DeviceIdentifier: SnapshotProgress] = [:]
    /// The time up to which expired records were swept.
    var swept = WallTime(milliseconds: .min)
    /// The latest stamp of everything that was garbage-collected.
    var horizon = HybridTime.zero
    /// The largest hybrid time that was ever stored here.
    var clock = HybridTime.zero
    /// The order in which the places of writes are told to others.
    var order = ArrivalOrder(high: 0, low: 0)
    /// The durable claims of devices.
    var reports = Reports()
    /// The positions at which peers are to resume.
    var resume: [DeviceIdentifier: ResumeToken] = [:]
    var notes: [LocalNote] = []
    /// Batches that have not ended.
    package var staged: [BatchIdentifier: [Journal.Draft]] = [:]
    /// The client states with which a job may continue here.
    var shownStates: [RecordIdentity: ShownState] = [:]
    #if MISTAKES
        /// The tombstones that an earlier transaction chose for collection (`Faults`).
        var chosen: [Write] = []
    #endif
    private var clears = Clears()
    private var journal = InMemoryJournal()
    /// The records that are client states.
    private(set) var states: Set<RecordIdentity> = []
    private var sum = InMemorySum()

    let lane: Lane

    package init(_ lane: Lane = .index) { self.lane = lane }

    /// Merges writes and claims; returns the records that changed, in the order of identities, and the changes of
    /// client states.
    mutating func commit(
        _ transaction: StoreTransaction, _ staged: [Journal.Draft]
    ) throws(StoreFailure) -> StoreCommit {
        let isPeerSetBack = transaction.sender.map { !dropped.isWithin($0) } ?? false
        try transaction.demandSound(isPeerSetBack: isPeerSetBack)
        var changed: [RecordIdentity: Record] = [:]
        var commit = StoreCommit(head: head, clock: clock, changed: [])
        let ending = transaction.states.filter { !complete.covers($0.dot) }
        commit.outranked = outranked(by: transaction, staged)
        let isAllKnown = transaction.range?.knowsAll(answered) ?? false
        if let range = transaction.range {
            for record in remove(range, transaction, isAllKnown: isAllKnown) {
                changed[record.identity] = record
            }
        }
        let removed = Set(changed.keys)
        var news: [Write] = []
        try transaction.visitWrites { (write, late) throws(StoreFailure) in
            if let late {
                let made = try late.write { (identity) throws(StoreFailure) in records[identity] }
                if let made { commit.additions.append(made) } else { commit.passedOver += 1 }
                for record in made.map({ merge($0) }) ?? [] { changed[record.identity] = record }
            }
            guard let write,
                isNews(write, of: transaction)
                    || write.takesPlace(ofRemoved: removed, isAllKnown: isAllKnown)
            else { return }
            news.append(write)
            for record in merge(write) { changed[record.identity] = record }
        }
        if let batch = transaction.batch {
            for (place, draft) in staged.enumerated() {
                let (dot, stamp) = batch.name(at: place)
                let write = try draft.write(dot, at: stamp) { (identity) throws(StoreFailure) in
                    records[identity]
                }
                if write == nil { commit.passedOver += 1 }
                for record in write.map({ merge($0) }) ?? [] { changed[record.identity] = record }
            }
        }
        quarantine(transaction, &commit)
        for write in quarantined.overwritten(in: changed.values) {
            quarantined.remove(write.dot)
            commit.resolved.append(write.dot)
        }
        commit.resolved.sort()
        if let succession = transaction.succession(after: complete, lineage) {
            for record in merge(succession) { changed[record.identity] = record }
            commit.additions.append(succession)
        }
        for succession in changed.values.compactMap(Succession.init)
        where complete[succession.origin] > 0 {
            lineage.recordOrigin(succession.origin, following: succession.follows)
        }
        claim(transaction.completing(unlessOf: abandoned), &commit)
        commit.additions += end(ending, of: transaction, changed: &changed)
        clock = transaction.isNamedHere ? max(clock, transaction.clock) : clock.following(transaction.clock)
        for record in renew(transaction, isPeerSetBack ? news : []) {
            changed[record.identity] = record
        }
        if let range = transaction.range {
            keepProgress(range, transaction.resume, &commit)
        } else if let peer = transaction.resume?.peer, !transaction.completing.isEmpty {
            snapshots[peer] = nil
        }
        notePromises(of: transaction)
        noteStream(transaction)
        commit.shown = judgeStates()
        for note in transaction.notes { keep(note) }
        // The token of a range says where to resume once the snapshot has ended.
        if let resume = transaction.resume, transaction.range?.through == nil {
            self.resume[resume.peer] = resume.token
        }
        commit.changed = changed.values.sorted { $0.identity < $1.identity }
        (commit.head, commit.clock) = (head, clock)
        if dropped.isWithin(complete) { commit.complete = complete }
        return commit
    }

    /// Returns the records in which writes of this device's transaction do not count.
    private func outranked(by transaction: StoreTransaction, _ staged: [Journal.Draft]) -> [RecordIdentity] {
        #if MISTAKES
            if Faults.isPlanted(.outrankedNotTold) { return [] }
        #endif
        var news = transaction.newWrites
        if let batch = transaction.batch {
            news += staged.enumerated().compactMap { place, draft in batch.newWrite(draft, at: place) }
        }
        return news.filter(isOutranked).map(\.identity)
    }

    private func isOutranked(_ write: NewWrite) -> Bool {
        guard case .clear = write.effect else {
            return write.isOutranked(
                by: records[write.identity], clearedAt: write.scope.flatMap(clears.latest(covering:)))
        }
        return survivingWrites.contains { standing in
            switch standing.action {
            case .full(let content): write.isSurvived(by: content.scope, begun: standing.stamp)
            case .count(let begun, let content): write.isSurvived(by: content.scope, begun: begun)
            case .deletion, .partial: false
            }
        }
    }

    private mutating func keep(_ note: LocalNote) {
        precondition(note.space.lane == lane, "a note stands with the lane of its space")
        notes.removeAll { $0.space == note.space && $0.name == note.name }
        if note.value != nil { notes.append(note) }
    }

    /// Quarantines unreadable writes that are not here, and drops quarantined ones that have come, or that the sender of
    /// a range knows and does not have.
    private mutating func quarantine(_ transaction: StoreTransaction, _ commit: inout StoreCommit) {
        let come = transaction.writes.map(\.dot).filter(quarantined.contains)
        let gone = quarantined.sorted.filter { write in
            transaction.range?.resolves(write, sent: transaction.quarantined) ?? false
        }
        for dot in Set(come + gone.map(\.dot)) {
            quarantined.remove(dot)
            commit.resolved.append(dot)
        }
        for unreadable in transaction.quarantined
        where !quarantined.contains(unreadable.dot) && !complete.covers(unreadable.dot) {
            let isHere =
                unreadable.identity.flatMap { records[$0] }?.survivingWrites
                .contains { $0.dot == unreadable.dot } ?? false
            let isOverwritten =
                unreadable.target.flatMap { records[$0.identity] }.map(unreadable.isOverwritten) ?? false
            guard !isHere, !isOverwritten else { continue }
            quarantined.add(unreadable)
            commit.quarantined.append(unreadable)
        }
    }

    /// Claims as much of a vector as possible.
    mutating func claim(_ vector: VersionVector, _ commit: inout StoreCommit) {
        claim(vector)
        if !vector.isWithin(complete), complete.count < Limits.laneOrigins { commit.isWithheld = true }
    }

    /// Claims everything that nothing holds back.
    mutating func claim(_ vector: VersionVector) {
        guard !vector.isWithin(complete) else { return }
        let records = records
        lineage.claim(quarantined.claimable(of: vector), in: &complete) { origin in
            records[Succession.key(of: origin).identity].flatMap(Succession.init)?.follows ?? []
        }
        journal.claim(complete)
    }

    /// Merges one write, and applies a clear; returns the records that changed.
    @discardableResult
    package mutating func merge(_ arriving: Write) -> [Record] {
        guard let write = clears.remains(of: arriving) else { return [] }
        var record = records[write.identity] ?? Record(write.identity)
        guard record.merge(write) else { return [] }
        keep(record, after: write)
        guard let clear = record.clear else { return [record] }
        clears.add(clear)
        var changed = [record]
        for var other in records.values where other.clear(clear) {
            keep(other, after: nil)
            changed.append(other)
        }
        return changed
    }

    /// Gives up all claims.
    mutating func giveUpClaims(answeringFor answered: VersionVector) {
        givenUp = answered
        abandoned.formUnion(complete.sorted.map(\.origin.life))
        (complete, dropped, promised) = (VersionVector(), VersionVector(), VersionVector())
        (snapshots, shownStates) = ([:], [:])
        (reports, resume, openStreams) = (Reports(), [:], [:])
        lineage = Lineage()
        journal.giveUpClaims()
    }

    /// Keeps the places of a record's surviving writes, and gives a new place to the write that changed it.
    mutating func keep(_ record: Record, after write: Write?) {
        let surviving = record.survivingWrites
        records[record.identity] = surviving.isEmpty ? nil : record
        journal.replace(record.identity, by: surviving, after: write, claiming: complete)
        sum.note(record.identity)
        guard record.identity.kind == .clientState else { return }
        if surviving.isEmpty { states.remove(record.identity) } else { states.insert(record.identity) }
    }

    /// Forgets a clear whose record is gone.
    mutating func forget(_ clear: Clear) { clears.remove(clear) }

    /// Returns the sum of all records that are there and have not expired at that time.
    mutating func updatedSum(at time: WallTime) -> StateDigest { sum.update(of: records, at: time) }

    // MARK: Queries

    /// The last place that was ever given out, also if no write is there any more.
    var head: Arrival { journal.head }

    /// Returns the clears that arrived after a place, up to about a number of bytes.
    func clears(since place: Arrival?, bytes: Int) -> ClearsAhead {
        var ahead = ClearsAhead(bytes: bytes)
        guard let place else { return ahead }
        for (clear, place) in journal.clears(after: place) {
            guard ahead.add(clear, at: place) else { break }
        }
        return ahead
    }

    /// Whether there is any clear.
    var hasClears: Bool { journal.hasClears }

    /// The surviving writes, in the order in which they arrived.
    package var survivingWrites: [Write] { journal.writes }

    /// Returns the sum of all records that are there and have not expired at that time.
    package func digest(at time: WallTime) -> StateDigest {
        records.values.reduce(into: StateDigest()) { sum, record in sum += record.digest(at: time) }
    }

    /// Returns whether a write is there, or was overwritten, deleted or cleared by what is.
    func reflects(_ write: Write) -> Bool {
        var copy = self
        return copy.merge(write).isEmpty
    }

    /// The place up to which every write is claimed.
    var settled: Arrival {
        journal.firstUnclaimed.map { Arrival(value: $0.value - 1) } ?? head
    }

    /// Whether every write that it holds is claimed, and it claims everything that was collected elsewhere.
    var holdsWhatItClaims: Bool { journal.firstUnclaimed == nil && dropped.isWithin(complete) }

    func changes(_ request: ChangesRequest) -> ChangesAnswer {
        #if MISTAKES
            let mayLackDropped = Faults.isPlanted(.deltaBehindDropped)
            let isClearFirst = { (write: Write) in
                write.identity.kind.isClear && !Faults.isPlanted(.clearsInTurn)
            }
        #else
            let mayLackDropped = false
            let isClearFirst = { (write: Write) in write.identity.kind.isClear }
        #endif
        guard request.needed.isWithin(complete) else { return .notNow }
        guard mayLackDropped || dropped.isWithin(request.covered) else { return .snapshotNeeded }
        var assembly = ChangesAssembly(request)
        for (clear, place) in journal.clears(after: request.clearsAfter) where isClearFirst(clear) {
            guard request.covered.covers(clear.dot) || assembly.add(clear: clear, at: place) else { break }
        }
        journal.forEach(after: request.after) { write, place in
            if assembly.isAtEnd { return false }
            guard !isClearFirst(write),
                assembly.wants((write.dot.origin, write.dot.sequence), at: place)
            else { return true }
            return assembly.add(write, at: place)
        }
        return .changes(assembly.changes(upTo: head, claiming: complete))
    }
}
