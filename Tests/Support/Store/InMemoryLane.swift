package import BatonCore

/// One lane of an `InMemoryStore`: its records, and their surviving writes in the order of arrival.
package struct InMemoryLane: Equatable, Sendable {
    /// Records of which something is left.
    package private(set) var records: [RecordIdentity: Record] = [:]
    private(set) var complete = VersionVector()
    /// Which of the lives that are claimed follow which.
    private(set) var lineage = Lineage()
    private(set) var asides = QuarantinedWrites()
    /// Lives of which this device may have written more than is here.
    private(set) var abandoned: Set<Life> = []
    /// What covers all traces that were let go.
    var dropped = VersionVector()
    /// What peers claimed of writes that they sent, as far as it is not claimed here yet.
    var promised = VersionVector()
    /// How far the snapshots of peers came.
    var snapshots: [DeviceIdentifier: SnapshotProgress] = [:]
    /// What had expired by then was swept.
    var swept = WallTime(milliseconds: .min)
    /// The latest stamp of all that was let go.
    var horizon = HybridTime.zero
    /// The largest hybrid time that was ever kept here.
    var clock = HybridTime.zero
    /// In which the places of writes are told to others.
    var order = ArrivalOrder(high: 0, low: 0)
    /// What devices have for good.
    var reports = Reports()
    /// Where peers are to go on.
    var resume: [DeviceIdentifier: ResumeToken] = [:]
    var notes: [LocalNote] = []
    /// Batches that have not ended.
    package var staged: [BatchIdentifier: [Journal.Draft]] = [:]
    /// The client states from which a job may go on here.
    var shownStates: [RecordIdentity: ShownState] = [:]
    #if DEBUG
        /// Traces that an earlier transaction chose to be let go (`Faults`).
        var chosen: [Write] = []
    #endif
    private var clears = Clears()
    private var journal = InMemoryJournal()
    /// The records that are client states.
    private(set) var states: Set<RecordIdentity> = []
    private var sum = InMemorySum()

    let lane: Lane

    package init(_ lane: Lane = .index) { self.lane = lane }

    /// Merges writes and claims; answers with the records that changed, in the order of identities, and with what
    /// became of client states.
    mutating func commit(
        _ transaction: StoreTransaction, _ staged: [Journal.Draft]
    ) throws(StoreFailure) -> StoreCommit {
        let isPeerSetBack = transaction.sender.map { !dropped.isWithin($0) } ?? false
        try transaction.demandSound(isPeerSetBack: isPeerSetBack)
        var changed: [RecordIdentity: Record] = [:]
        var commit = StoreCommit(head: head, clock: clock, changed: [])
        let ending = transaction.states.filter { !complete.covers($0.dot) }
        commit.outranked = outranked(by: transaction, staged)
        let isAllKnown = transaction.range?.knowsAll(expected: expected, dropped: dropped) ?? false
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
        setAside(transaction, &commit)
        for aside in asides.overwritten(in: changed.values) {
            asides.remove(aside.dot)
            commit.resolved.append(aside.dot)
        }
        commit.resolved.sort()
        if let succession = transaction.succession(after: complete, lineage) {
            for record in merge(succession) { changed[record.identity] = record }
            commit.additions.append(succession)
        }
        for succession in changed.values.compactMap(Succession.init)
        where complete[succession.origin] > 0 {
            lineage.note(succession.origin, following: succession.follows)
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
        commit.shown = judgeStates()
        for note in transaction.notes { keep(note) }
        // The token of a range says where to go on once the snapshot is at its end.
        if let resume = transaction.resume, transaction.range?.through == nil {
            self.resume[resume.peer] = resume.token
        }
        commit.changed = changed.values.sorted { $0.identity < $1.identity }
        (commit.head, commit.clock) = (head, clock)
        if dropped.isWithin(complete) { commit.complete = complete }
        return commit
    }

    /// The records in which writes of a transaction of this device do not count.
    private func outranked(by transaction: StoreTransaction, _ staged: [Journal.Draft]) -> [RecordIdentity] {
        #if DEBUG
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
            return write.isOutranked(by: records[write.identity], clears)
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

    /// Sets aside what can't be read and is not here, and lets go of what has come.
    private mutating func setAside(_ transaction: StoreTransaction, _ commit: inout StoreCommit) {
        for write in transaction.writes where asides.contains(write.dot) {
            asides.remove(write.dot)
            commit.resolved.append(write.dot)
        }
        for aside in transaction.asides where !asides.contains(aside.dot) && !complete.covers(aside.dot) {
            let isHere = journal.holds(aside.dot)
            let isOverwritten =
                aside.target.flatMap { records[$0.identity] }.map(aside.isOverwritten) ?? false
            guard !isHere, !isOverwritten else { continue }
            asides.add(aside)
            commit.setAside.append(aside)
        }
    }

    /// Claims what may be claimed.
    mutating func claim(_ vector: VersionVector, _ commit: inout StoreCommit) {
        claim(vector)
        if !vector.isWithin(complete), complete.count < Limits.laneOrigins { commit.isWithheld = true }
    }

    /// Claims what is not held back by anything.
    mutating func claim(_ vector: VersionVector) {
        guard !vector.isWithin(complete) else { return }
        let records = records
        lineage.claim(asides.claimable(of: vector), in: &complete) { origin in
            records[Succession.key(of: origin).identity].flatMap(Succession.init)?.follows ?? []
        }
        journal.claim(complete)
    }

    /// Merges one write, and lets a clear have its effect; answers with the records that changed.
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

    /// Claims nothing any more of what stands here.
    mutating func giveUpClaims() {
        abandoned.formUnion(complete.sorted.map(\.origin.life))
        (complete, dropped, promised) = (VersionVector(), VersionVector(), VersionVector())
        (snapshots, shownStates) = ([:], [:])
        (reports, resume) = (Reports(), [:])
        lineage = Lineage()
        journal.giveUpClaims()
    }

    /// What survives of a record keeps its place, and the write that changed it gets a new one.
    mutating func keep(_ record: Record, after write: Write?) {
        let surviving = record.survivingWrites
        records[record.identity] = surviving.isEmpty ? nil : record
        journal.replace(record.identity, by: surviving, after: write, claiming: complete)
        sum.note(record.identity)
        guard record.identity.kind == .clientState else { return }
        if surviving.isEmpty { states.remove(record.identity) } else { states.insert(record.identity) }
    }

    /// The record of a clear is gone.
    mutating func forget(_ clear: Clear) { clears.remove(clear) }

    /// What all records add up to that are there and have not expired at that time.
    mutating func updatedSum(at time: WallTime) -> StateDigest { sum.update(of: records, at: time) }

    // MARK: Queries

    /// The last place that was ever given out, also if nothing stands there any more.
    var head: Arrival { journal.head }

    /// The clears that arrived after a place.
    func clears(since place: Arrival?) -> [Write] {
        guard let place else { return [] }
        return journal.clears(after: place).map(\.write)
    }

    /// Whether any clear stands here.
    var hasClears: Bool { journal.hasClears }

    /// What stands, in the order in which it arrived.
    package var survivingWrites: [Write] { journal.writes }

    /// The sum over the records that are there, but for those that have expired at that time.
    package func digest(at time: WallTime) -> StateDigest {
        records.values.reduce(into: StateDigest()) { sum, record in sum += record.digest(at: time) }
    }

    /// Whether a write is there, or was overwritten, deleted or cleared by what is.
    func reflects(_ write: Write) -> Bool {
        var copy = self
        return copy.merge(write).isEmpty
    }

    /// Up to where everything is claimed.
    var settled: Arrival {
        journal.firstUnclaimed.map { Arrival(value: $0.value - 1) } ?? head
    }

    /// Whether nothing is held that is not claimed, and nothing was let go elsewhere that is not claimed here.
    var holdsWhatItClaims: Bool { journal.firstUnclaimed == nil && dropped.isWithin(complete) }

    func changes(_ request: ChangesRequest) -> ChangesAnswer {
        #if DEBUG
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
