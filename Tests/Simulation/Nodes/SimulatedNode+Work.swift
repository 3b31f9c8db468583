import BatonCore
import Support

/// The work of a node's store, in groups.
extension SimulatedNode {
    /// The results of a group, to be reported once it is stored.
    struct Group {
        /// Reports to the callers who asked for the work.
        var outcomes: [() -> Void] = []
        /// Reports to everyone else.
        var notices: [() -> Void] = []
        /// Entries for the ledger and the checkers.
        var entries: [Ledger.Entry] = []
        var commits: [StoreCommit] = []
        var applied: [(StoreTransaction, Endpoint)] = []
        /// The records that were swept, and the time up to which they were.
        var swept: [([Record], WallTime)] = []
        /// The changed records that may say who belongs to the account.
        var learnt: [Record] = []
        /// The changed records about activities.
        var activities: [Record] = []
        /// The records in which writes of this device do not count.
        var outranked: [RecordIdentity] = []
        /// The vector that the lane claims since.
        var complete: VersionVector?
        /// The reports of all devices that the store knows since; nil if it was not asked.
        var reports: Reports?
        /// The claims before the store gave them up; nil if it does not.
        var claimedBefore: VersionVector?
        /// The largest hybrid time that was stored with them.
        var clock = HybridTime.zero

        mutating func note(_ commit: StoreCommit) {
            commits.append(commit)
            (clock, complete) = (max(clock, commit.clock), commit.complete)
            outranked += commit.outranked
            learnt += commit.changed.filter { [.rosterStatement, .device].contains($0.identity.kind) }
            activities += commit.changed.filter {
                [.currentActivity, .savedActivity].contains($0.identity.kind)
            }
        }
    }

    /// Does some of the work in one group of a lane, or work that concerns the account alone; returns what to do once
    /// that result is known.
    func perform(_ items: [Work], in lane: Lane?) -> [() -> Void] {
        var group = Group()
        var refusal: StoreFailure?
        // A group of their own would take time, and every known world would go another way.
        let notes = lane == .activities ? contactNotes : []
        if lane == .activities { contactNotes = [] }
        // An acknowledged batch end and a report survive a power loss; single writes may wait for the disk.
        let isDurable = items.contains(where: \.isDurable)
        disk.isFailing =
            world.disksFailMidway
            && (world.happens(.failedGroup) || lane == nil && world.happens(.failedUpkeep))
        do throws(StoreFailure) {
            let body = { () throws(StoreFailure) in
                if let lane { try self.refuseFirst(items, in: lane) }
                for item in items where !item.isInVain { try self.perform(item, &group) }
                if !notes.isEmpty {
                    _ = try self.store.commit(
                        StoreTransaction(
                            lane: .activities, writes: [], completing: VersionVector(), notes: notes))
                }
                refusal = self.failure(of: items)
                if let refusal { throw refusal }
            }
            if let lane {
                try store.lane(lane).group(durably: isDurable, body)
            } else {
                try store.group(body)
            }
        } catch {
            if error != refusal { world.noteFailure(error, at: self, doing: "do \(items.count) things") }
            disk.isFailing = false
            if let lane, isDurable { disk.noteFailedSync(of: lane) }
            // One lane may have stored that it gives up its claims.
            if let before = group.claimedBefore {
                noteGivenUp(since: before)
                world.noteLoss(at: self)
            }
            world.tell("\(name) keeps nothing of \(items.count) things: \(error)")
            world.marks[.failedGroups] += 1
            if error != refusal { entriesInDoubt += group.entries }
            refusedSubjects.note(refused: items)
            enterFound()
            drop(afterFailureOf: items, in: lane)
            return [
                {
                    for _ in notes { self.drive { $0.handleContactFailure(error) } }
                    self.fail(items, in: lane, error)
                }
            ]
        }
        disk.isFailing = false
        refusedSubjects.note(done: items)
        if let before = group.claimedBefore {
            noteGivenUp(since: before)
            world.tell("\(name) claims nothing any more")
            world.marks[.claimsGivenUp] += 1
            reported = VersionVector()
            world.noteLoss(at: self)
        }
        world.marks[.statesHeldBack] += world.jobs.count(where: holdsBack)
        for (records, time) in group.swept {
            world.swept.add(records, at: time)
            world.marks[.swept] += records.count
        }
        for entry in group.entries { world.noteWritten(entry, at: self) }
        for commit in group.commits { world.noteCommitted(commit, at: self) }
        for (transaction, endpoint) in group.applied { world.noteKept(transaction, endpoint, at: self) }
        if let lane, isDurable {
            disk.noteSync(of: [lane])
        } else if draw(lane, { $0.chance(world.profile.syncing) }) {
            disk.sync()
        }
        disk.workOn(toEnd: false)
        world.noteCommit(at: self)
        if let reports = group.reports { world.noteReports(reports, at: self) }
        let (learnt, clock) = (group.learnt, group.clock)
        let (activities, complete) = (group.activities, lane == .activities ? group.complete : nil)
        let outranked = group.outranked
        var outcomes = outcomes(of: group, in: lane)
        if apps != nil {
            outcomes.insert(
                { self.apps?.takeBack(activities, complete: complete, outranked: outranked, by: clock) },
                at: 0)
        }
        if !learnt.isEmpty { outcomes.insert({ self.learn(learnt, at: clock) }, at: 0) }
        return outcomes
    }

    /// Returns the reports of a stored group, in either order.
    private func outcomes(of group: Group, in lane: Lane?) -> [() -> Void] {
        draw(lane) { $0.chance(50) }
            ? group.outcomes + group.notices : group.notices + group.outcomes
    }

    /// Returns the error with which the disk refuses a group, or nil.
    private func failure(of items: [Work]) -> StoreFailure? {
        if let refusal = disk.refusal { return refusal }
        let isInSnapshot = items.contains {
            if case .request(.apply(let transaction), _, _) = $0 {
                transaction.range?.after != nil
            } else {
                false
            }
        }
        if isInSnapshot, world.happens(.fullInSnapshot) {
            world.marks[.fullInSnapshot] += 1
            return StoreFailure(.full, "the disk is full in the middle of a snapshot")
        }
        if isUpkeep(items), refusals > 0 || world.happens(.failedUpkeep) {
            refusals = max(0, refusals - 1)
            world.marks[.failedUpkeep] += 1
            return StoreFailure(.failed, "the disk refuses what the device does by itself")
        }
        if refusedSubjects.refuse(items) {
            world.marks[.refusedSubjects] += 1
            return StoreFailure(.failed, "the disk refuses something that the account does by itself")
        }
        if entryRefusals > 0, items.contains(where: \.entersMembers) {
            entryRefusals -= 1
            return StoreFailure(.failed, "the disk refuses what the device enters about members")
        }
        guard !world.disksFailMidway else { return nil }
        return world.happens(.failedGroup) ? StoreFailure(.failed, "the disk refuses") : nil
    }

    /// Whether a group has work that the device does by itself.
    ///
    /// A twin whose write fails begins a life, and does not learn of the other one by its life; so there groups with
    /// writes do not count.
    private func isUpkeep(_ items: [Work]) -> Bool {
        let hasWrite = items.contains { if case .write = $0 { true } else { false } }
        return items.contains(where: \.isUpkeep) && !(world.hasTwins && hasWrite)
    }

    private func perform(_ item: Work, _ group: inout Group) throws(StoreFailure) {
        switch item {
        case .request(.summary(let peer), let endpoint, let now):
            let summary = try store.summary(for: peer, now: now)
            world.noteSummary(summary, for: endpoint)
            group.outcomes.append { endpoint.handle(.summary(summary)) }
        case .request(.changes(let request), let endpoint, _):
            let changes = try store.changes(request)
            if changes == .snapshotNeeded { world.marks[.snapshots] += 1 }
            group.outcomes.append {
                endpoint.handle(.changes(request.lane, changes))
            }
        case .request(.range(let request), let endpoint, _):
            let range = try store.range(request)
            demandWhole(range, request)
            if range == .anew { world.marks[.snapshotsAnew] += 1 }
            endpoint.noteRange(request)
            group.outcomes.append { endpoint.handle(.range(request.lane, range)) }
        case .request(.apply(let transaction), let endpoint, _):
            do throws(StoreFailure) {
                let commit = try apply(transaction, from: endpoint, &group)
                world.noteMerged(transaction, endpoint, at: self)
                group.note(commit)
                if transaction.range?.through != nil {
                    considerCrash()
                    considerLoss(of: endpoint.peer)
                }
                group.notices.append { self.handle(commit, transaction.lane) }
                group.outcomes.append { endpoint.handleKept(commit, transaction.lane) }
            } catch {
                world.tell("\(name) refuses what \(endpoint.peer.name) sent: \(error)")
                if error.isRefusal {
                    world.marks[.refusals] += 1
                    demandMayRefuse(transaction, of: endpoint, error)
                } else {
                    world.noteFailure(error, at: self, doing: "take a batch")
                }
                endpoint.failedLanes.insert(transaction.lane)
                work.removeAll(where: \.isInVain)
                group.outcomes.append { endpoint.handle(.failed(error)) }
            }
        case .request(.check(let time), let endpoint, let now):
            let check = try store.check(toldAt: time, now: now)
            group.outcomes.append { endpoint.handle(.check(check)) }
        case .request(.sums(let lane, let time), let endpoint, _):
            let sums = try store.recount(lane, at: time)
            group.outcomes.append { endpoint.handle(.sums(sums)) }
        case .request(.part(let request), let endpoint, _):
            let part = try store.part(request)
            group.outcomes.append { endpoint.handle(.part(request.lane, part)) }
        case .request(.keepReports(let reports), let endpoint, _):
            let known = try store.keep(drive { $0.learnReports(reports) })
            group.reports = known
            group.outcomes.append { endpoint.handle(.keptReports(known)) }
            group.notices.append { self.drive { $0.handleReports(known, in: self) } }
        case .report(let complete, let lane):
            // A disk that fails may hold the report all the same.
            world.reportedEver[identity.device, default: VersionVector()].join(complete.restricted(to: lane))
            try store.lane(lane).report(of: identity.device, having: complete)
            group.notices.append { self.drive { $0.handleAnswer(.reported(complete, lane), in: self) } }
        case .ask(let request): try answer(request, &group)
        case .askSharedLives:
            let shared = Set(try store.records(of: .sharedLife).compactMap(\.sharedLife))
            sharedWhenSweeping = shared
            group.outcomes.append { self.drive { $0.handleSharedLives(shared, in: self) } }
        case .sweep(let request, let lane): try sweep(request, lane, &group)
        case .settle(let lane): try settle(lane, &group)
        case .write(let transaction, let own, let ticket): try write(transaction, own, ticket, &group)
        case .stage(let drafts, let batch):
            try store.stage(drafts, in: batch)
            group.outcomes.append { self.noteStaged(in: batch) }
        case .discard(let batch):
            try store.discard(batch)
            // Staged changes are merged in steps, and nothing is collected before that is done.
            group.notices.append { self.drive { $0.settle(.index, at: self.world.now) } }
        case .witness(let life, let lane): note(witnessed: life, in: lane)
        case .beginOrder(let order):
            ordersTried.insert(order)
            try store.begin(order)
            group.outcomes.append { [self] in
                drive { $0.writing.handleBegun(order) }
                (orderBegun, ordersTried, isOrderAsked) = (order, [], false)
                world.noteBeginning(at: self)
            }
        }
    }

    /// Does the next step of the remaining work of clears.
    private func settle(_ lane: Lane, _ group: inout Group) throws(StoreFailure) {
        // In half of all worlds each step is as small as possible: one that does nothing would then never end.
        var steps = SeededGenerator(seed: world.seed, for: "steps of settling")
        let drawn = draw(lane) { $0.number(1...3) }
        let most = world.profile.constants.stepRecords ?? (steps.chance(50) ? 1 : drawn)
        let commit = try store.lane(lane).settle(most: most)
        group.outcomes.append { [self] in drive { $0.handleSettled(commit, in: lane, at: world.now) } }
        guard let commit else { return }
        world.marks[.settlingSteps] += 1
        group.commits.append(commit)
        group.notices.append { self.handle(commit, lane) }
    }

    /// Stores what an app wrote here.
    private func write(
        _ drafted: StoreTransaction, _ own: Work.OwnWrite, _ ticket: Writing.Ticket?, _ group: inout Group
    ) throws(StoreFailure) {
        var transaction = drafted
        world.sabotage?(&transaction)
        let holds = try conditionHolds(of: transaction, own.staged)
        let movable = movableItems(transaction)
        let updated = updatedItems(transaction)
        let commit = try store.commit(transaction)
        group.note(commit)
        demandNothingOutranked(commit)
        demandCondition(of: transaction, holds, commit)
        demandMoves(movable, transaction, commit)
        demandUpdates(updated, transaction, commit)
        let staged = transaction.batch?.writes(of: own.staged) ?? []
        let asked = commit.refusal == nil ? drafted.writes + staged : []
        let written = own.isSwept ? [] : asked + commit.additions
        group.entries += written.map {
            var entry = Ledger.Entry(write: $0, author: number, at: world.now, seen: own.seen)
            entry.isOfBatch = own.isBatch
            entry.isOutranked = commit.outranked.contains($0.identity)
            return entry
        }
        demandTruth(of: written, seen: own.seen, outranked: commit.outranked)
        if restoredAndWrote != nil { restoredAndWrote = true }
        group.notices.append { self.handle(commit, transaction.lane) }
        if transaction.batch != nil, commit.isUnsettled { considerRescue() }
        // The caller is told only later, but a crash that comes between must not lose the write, either.
        group.outcomes.append { [self] in
            lifeOrder.known.formUnion(transaction.completing.sorted.map(\.origin.life))
            // The ledger gets an activity's stored writes before its app is answered.
            if own.isOfActivity { acknowledge(written, own) }
            if let ticket { drive { $0.handleKept(ticket, commit, in: self) } }
            if !own.isOfActivity { acknowledge(written, own) }
        }
    }

    private func acknowledge(_ written: [Write], _ own: Work.OwnWrite) {
        world.ledger.acknowledge(written)
        own.acknowledge(written)
    }

    /// Stores what a peer sent.
    private func apply(
        _ arriving: StoreTransaction, from endpoint: Endpoint, _ group: inout Group
    ) throws(StoreFailure) -> StoreCommit {
        var transaction = arriving
        world.sabotage?(&transaction)
        guard transaction.range != nil || transaction.isAhead else {
            try takeAgain(before: transaction)
            let dropped = contents.dropped
            let commit = try store.commit(transaction)
            demandNotSetBack(transaction, from: endpoint, dropped)
            demandReasonToWithhold(transaction, commit)
            group.applied.append((arriving, endpoint))
            return commit
        }
        let life = newLife()
        transaction.renewingLife = life
        transaction.renewingSigner = journal.signer.map(StoreTransaction.Signer.init)
        let seen = contents.complete
        var known = seen
        known.join(transaction.range?.known ?? endpoint.peer.contents.complete)
        // A write that comes from the peer may be written anew as well, and then it is the later one that shows.
        let openings = Dictionary(
            (contents.survivingWrites + transaction.writes).filter { $0.isOpening }.map { ($0.identity, $0) },
            uniquingKeysWith: { $0.stamp < $1.stamp ? $1 : $0 }
        )
        let states = contents.survivingWrites.filter { $0.identity.kind.isCheckpoint && $0.isFull }
        let (before, unseenClears) = (recordsThatMayBeRenewed(by: transaction), contents.unseenClears)
        let commit = try store.commit(transaction)
        group.applied.append((arriving, endpoint))
        demandReasonToWithhold(transaction, commit)
        // A client state in doubt goes, and its job continues where the state before it says.
        for state in states where !contents.reflects(state) {
            world.waive(state)
            demandEarlier(than: state, in: transaction)
        }
        if let range = transaction.range {
            demandNoDoubt(range, transaction, commit)
            demandRemoved(range, transaction, commit, besides: unseenClears)
        }
        demandUpdatesKept(before, transaction, life, commit)
        if commit.hasWritten(under: life) { drive { $0.handleRenewal(under: life) } }
        for write in commit.changed.flatMap(\.survivingWrites) where write.dot.origin.life == life {
            world.tell("\(name) writes anew \(write.told(in: world))")
            world.marks[.renewals] += 1
            var entry = Ledger.Entry(write: write, author: number, at: world.now, seen: seen)
            // A tombstone may be gone that only another machine of this identity had: then nobody knows better.
            if write.isOpening, world.isOnly(self) {
                entry.renews = openings[write.identity].map { Ledger.Renewed(dot: $0.dot, known: known) }
            }
            group.entries.append(entry)
        }
        return commit
    }

    /// Returns whether a newer client state than the shown one waits for its data.
    private func holdsBack(_ job: ClientStateName) -> Bool {
        guard let record = contents.record(job.key.identity), record.isThere else { return false }
        return ask { (store) throws(StoreFailure) in try store.shownState(of: job) }?.stamp
            != record.incarnation
    }

    // MARK: Results of a group

    func handle(_ commit: StoreCommit, _ lane: Lane) {
        // The roster learnt of the records with the group; only the clock is left.
        _ = drive { $0.learn([], verified: [:], at: commit.clock, in: self) }
        for endpoint in endpoints { endpoint.handleCommit(lane) }
        drive { $0.handleCommit(commit, of: lane, in: self) }
        // An app could ask at any time.
        for name in commit.shown {
            let shown = ask { (store) throws(StoreFailure) in try store.shownState(of: name) }
            if let shown { world.noteShown(shown, at: self) }
        }
        #if MISTAKES
            if Faults.isPlanted(.expiryAsDeletion) { sweep(commit.changed, lane) }
        #endif
    }

    /// Drops a session's pending requests to a lane behind one that failed there: a later batch would claim the writes
    /// of the failed one.
    ///
    /// Behind a failed write of this device, the pending requests of all sessions are dropped.
    private func drop(afterFailureOf items: [Work], in lane: Lane?) {
        // A transaction that names no write, such as this device's own notes, claims nothing and ends no session.
        let isOwn = items.contains { if case .write(_, _, _?) = $0 { true } else { false } }
        for case .request(_, let endpoint, _) in isOwn ? items + work : items {
            endpoint.failedLanes.formUnion(lane.map { [$0] } ?? Lane.allCases)
        }
        for endpoint in endpoints where isOwn {
            endpoint.failedLanes.formUnion(lane.map { [$0] } ?? Lane.allCases)
        }
        work.removeAll(where: \.isInVain)
    }

    /// Reports that nothing of a group was stored; the writes that this life named in it are not claimed.
    private func fail(_ items: [Work], in lane: Lane?, _ failure: StoreFailure) {
        // Writers are told last, and may then write once more.
        var failed: [(StoreFailure) -> Void] = []
        defer { for tell in failed { tell(failure) } }
        for item in items {
            switch item {
            case .request(_, let endpoint, _): endpoint.handle(.failed(failure))
            case .write(_, let own, let ticket):
                if let ticket { drive { $0.handleFailure(failure, of: ticket, in: self) } }
                failed.append(own.failed)
            case .stage(_, let batch): abandon(batch)
            case .discard(let batch): later(10 * world.profile.pace) { [self] in enter(.discard(batch)) }
            case .settle(let lane): drive { $0.handleSettlingFailure(failure, in: lane, at: world.now) }
            case .report: drive { $0.handleReportFailure(failure, in: self) }
            case .ask(let request): drive { $0.handleFailure(failure, of: request, in: self) }
            case .askSharedLives, .sweep: drive { $0.handleSweepFailure(failure) }
            case .beginOrder(let order):
                drive { $0.writing.handleFailure(failure, of: order, at: world.now) }
            case .witness(let life, let lane): note(witnessed: life, in: lane)
            }
        }
        let life = journal.life
        // Writes that were named for the other lane are or will be stored by then, and depend on no lost write.
        var behind: [Writing.Ticket] = []
        work.removeAll {
            guard case .write(let transaction, let own, let ticket?) = $0, transaction.lane == lane,
                !transaction.completing.sorted.allSatisfy({ $0.origin.life == life })
            else { return false }
            failed.append(own.failed)
            behind.append(ticket)
            return true
        }
        for ticket in behind { drive { $0.handleFailure(failure, of: ticket, in: self) } }
    }
}

extension StoreFailure {
    /// Whether the store was asked for something that it may refuse on any disk.
    var isRefusal: Bool { code == .peerSetBack || code == .unreadable }
}
