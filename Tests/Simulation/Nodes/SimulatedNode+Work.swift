import BatonCore
import BatonStore
import Support

/// What a node has its store do, in groups.
extension SimulatedNode {
    /// What a group did, to be told once it is kept.
    private struct Group {
        /// What those hear who asked.
        var outcomes: [() -> Void] = []
        /// What others hear.
        var notices: [() -> Void] = []
        /// What the ledger and the checkers hear.
        var entries: [Ledger.Entry] = []
        var commits: [StoreCommit] = []
        var applied: [(StoreTransaction, Endpoint)] = []
        var isDurable = false
        /// What was swept, and up to when.
        var swept: [([Record], WallTime)] = []
        /// The records that changed and may say who belongs to the account.
        var learnt: [Record] = []
        /// Those that are about activities.
        var activities: [Record] = []
        /// Those in which what was written here does not count.
        var outranked: [RecordIdentity] = []
        /// What is claimed of the lane since.
        var complete: VersionVector?
        /// Whether nothing is claimed any more.
        var givesUp = false
        /// The largest hybrid time that was kept with them.
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

    /// Does some of the work in one group of a lane, or what concerns the account alone; answers with what is to be done
    /// once that is known.
    func perform(_ items: [Work], in lane: Lane?) -> [() -> Void] {
        var group = Group()
        var refusal: StoreFailure?
        disk.isFailing = world.disksFailMidway && world.happens(.failedGroup)
        do throws(StoreFailure) {
            let body = { () throws(StoreFailure) in
                if let lane { try self.refuseFirst(items, in: lane) }
                for item in items where !item.isInVain { try self.perform(item, &group) }
                refusal = self.failure(of: items)
                if let refusal { throw refusal }
            }
            if let lane {
                try store.lane(lane).group(durably: items.contains(where: \.isDurable), body)
            } else {
                try store.group(body)
            }
        } catch {
            if error != refusal { world.noteFailure(error, at: self, doing: "do \(items.count) things") }
            disk.isFailing = false
            // One lane may have kept that it gives up what it claims.
            if group.givesUp { world.noteLoss(at: self) }
            world.tell("\(name) keeps nothing of \(items.count) things: \(error)")
            world.marks[.failedGroups] += 1
            // Where a disk that fails kept it all the same, what stands there was not told to be kept, and is known.
            for entry in group.entries where contents.complete.covers(entry.write.dot) {
                world.noteWritten(entry, at: self)
            }
            drop(afterFailureOf: items, in: lane)
            return [{ self.fail(items, in: lane, error) }]
        }
        disk.isFailing = false
        if group.givesUp {
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
        // An acknowledged batch end survives the loss of power, and what is reported; single writes may wait for the
        // disk.
        if let lane, group.isDurable {
            disk.noteSync(of: [lane])
        } else if draw(lane, { $0.chance(world.profile.syncing) }) {
            disk.sync()
        }
        disk.workOn(toEnd: false)
        world.noteCommit(at: self)
        let (learnt, clock) = (group.learnt, group.clock)
        let (activities, complete) = (group.activities, lane == .activities ? group.complete : nil)
        let outranked = group.outranked
        var outcomes = outcomes(of: group, in: lane)
        if apps != nil {
            outcomes.insert(
                { self.apps?.takeBack(activities, complete: complete, outranked: outranked, by: clock) },
                at: 0)
        }
        if !learnt.isEmpty { outcomes.insert({ self.learn(learnt, by: clock) }, at: 0) }
        return outcomes
    }

    /// What is to be told of a group that was kept, in either order.
    private func outcomes(of group: Group, in lane: Lane?) -> [() -> Void] {
        draw(lane) { $0.chance(50) }
            ? group.outcomes + group.notices : group.notices + group.outcomes
    }

    /// Whether the disk refuses a group.
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
        guard !world.disksFailMidway else { return nil }
        return world.happens(.failedGroup) ? StoreFailure(.failed, "the disk refuses") : nil
    }

    /// Now and then a batch comes first in a form that the store refuses at its end, and nothing of that may stay.
    ///
    /// It is the first of its group, because the store may give up what came before it, and it is small, because SQLite
    /// can't take back alone what was spilled.
    private func refuseFirst(_ items: [Work], in lane: Lane) throws(StoreFailure) {
        guard world.store == .sqlite, let first = items.first, !first.isInVain,
            case .request(.apply(var transaction), _, _) = first, transaction.lane == lane,
            transaction.range == nil, !transaction.isAhead,
            transaction.writes.reduce(0, { $0 + $1.byteCount }) < 50_000,
            world.streams["refused first"].chance(5)
        else { return }
        let origin = Origin(life: Life(high: 6, low: 6), lane: lane)
        transaction.asides += (0...UInt64(Limits.asides)).map { number in
            Aside(dot: Dot(origin: origin, sequence: number + 1, place: 0), target: nil, reason: "on purpose")
        }
        do throws(StoreFailure) {
            _ = try store.commit(transaction)
        } catch {
            guard error.isRefusal else { throw error }
            return
        }
        world.violate(
            .bounds, about: Violation.Subject(transaction.writes, at: self),
            "\(name) sets more aside than it may")
    }

    private func perform(_ item: Work, _ group: inout Group) throws(StoreFailure) {
        switch item {
        case .request(.summary(let peer), let endpoint, let now):
            let summary = try store.summary(for: peer, now: now)
            world.noteSummary(summary, for: endpoint)
            group.outcomes.append { endpoint.handle { $0.handle(StoreAnswer.summary(summary)) } }
        case .request(.changes(let request), let endpoint, _):
            let changes = try store.changes(request)
            if changes == .snapshotNeeded { world.marks[.snapshots] += 1 }
            group.outcomes.append {
                endpoint.handle { $0.handle(StoreAnswer.changes(request.lane, changes)) }
            }
        case .request(.range(let request), let endpoint, _):
            let range = try store.range(request)
            demandWhole(range, request)
            if range == .anew { world.marks[.snapshotsAnew] += 1 }
            endpoint.noteRange(request)
            group.outcomes.append { endpoint.handle { $0.handle(StoreAnswer.range(request.lane, range)) } }
        case .request(.apply(let transaction), let endpoint, _):
            do throws(StoreFailure) {
                let commit = try apply(transaction, from: endpoint, &group)
                group.note(commit)
                if transaction.range?.through != nil { considerCrash() }
                group.notices.append { self.handle(commit, transaction.lane) }
                group.outcomes.append {
                    endpoint.handle { $0.handle(StoreAnswer.applied(transaction.lane, commit)) }
                }
            } catch {
                world.tell("\(name) refuses what \(endpoint.peer.name) sent: \(error)")
                if error.isRefusal {
                    world.marks[.refusals] += 1
                } else {
                    world.noteFailure(error, at: self, doing: "take a batch")
                }
                endpoint.failedLanes.insert(transaction.lane)
                work.removeAll(where: \.isInVain)
                group.outcomes.append { endpoint.handle { $0.handle(StoreAnswer.failed(error)) } }
            }
        case .request(.check(let time), let endpoint, let now):
            let check = try store.check(toldAt: time, now: now)
            group.outcomes.append { endpoint.handle { $0.handle(StoreAnswer.check(check)) } }
        case .request(.sums(let lane, let time), let endpoint, _):
            let sums = try store.recount(lane, at: time)
            group.outcomes.append { endpoint.handle { $0.handle(StoreAnswer.sums(sums)) } }
        case .request(.part(let request), let endpoint, _):
            let part = try store.part(request)
            group.outcomes.append { endpoint.handle { $0.handle(StoreAnswer.part(request.lane, part)) } }
        case .request(.keepReports(let reports), let endpoint, _):
            let known = try store.keep(heeded(reports))
            group.outcomes.append { endpoint.handle { $0.handle(StoreAnswer.keptReports(known)) } }
            group.notices.append { self.handle(known) }
        case .heed:
            let known = try store.keep(heeded)
            group.notices.append { self.handle(known) }
        case .report(let complete, let lane): try report(complete, of: lane, &group)
        case .readReports:
            let known = contents.reports
            group.notices.append { [self] in
                reported = known[identity.device] ?? reported
                handle(known)
                enter(.adopt)
            }
        case .collect: try letGo()
        case .sweep(let time, let lane):
            let records = try sweep(lane, expiredAt: time, &group.commits)
            guard !records.isEmpty else { break }
            world.tell(
                "\(name) sweeps \(records.flatMap(\.survivingWrites).map { $0.told(in: world) }) up to \(time.milliseconds)"
            )
            group.swept.append((records, time))
        case .adopt: try adoptStrays()
        case .settle(let lane): try settle(lane, &group)
        case .forget: try forget(&group)
        case .abandon(let device):
            try giveUp([device], &group) { (store) throws(StoreFailure) in
                try store.abandonSnapshots(of: [device])
            }
        case .write(let transaction, let own): try write(transaction, own, &group)
        case .stage(let drafts, let batch):
            try store.stage(drafts, in: batch)
            group.outcomes.append { self.noteStaged(in: batch) }
        case .discard(let batch):
            try store.discard(batch)
            // Its staged changes go in steps, and nothing is let go before that is done.
            group.notices.append { self.enter(.settle(.index)) }
        case .begin(let order):
            guard let order else { break }
            try store.begin(order)
            group.notices.append { self.meetAnew() }
        }
    }

    /// Goes on with what is left to be done, at once or after a while, as a machine does that has much else to do.
    private func settleSoon(_ lane: Lane) {
        guard !world.isHealed, world.streams["settling"].chance(20) else { return enter(.settle(lane)) }
        later(world.streams["settling"].number(1...20) * world.profile.pace) { [self] in
            enter(.settle(lane))
        }
    }

    /// A range has every write of its records, also while a batch waits to be merged: it claims all of them.
    private func demandWhole(_ answer: RangeAnswer, _ request: RangeRequest) {
        guard case .range(let range) = answer, let contents = contents as? SQLiteContents,
            contents.store.isUnsettled(request.lane)
        else { return }
        let told = Set((range.ahead + range.writes).map(\.dot))
        let missing = contents.allRecords.first { record in
            record.identity.kind.lane == request.lane
                && (request.after.map { $0 < record.identity } ?? true)
                && (range.through.map { record.identity <= $0 } ?? true)
                && !record.survivingWrites.allSatisfy { told.contains($0.dot) }
        }
        guard let missing else { return }
        world.violate(
            .acknowledgedIsKept, about: Violation.Subject(missing.survivingWrites, at: self),
            "\(name) gives a range that claims \(missing.identity.told) and does not hold it")
    }

    /// Does the next step of what clears have left.
    private func settle(_ lane: Lane, _ group: inout Group) throws(StoreFailure) {
        // In half of all worlds each step is the least that there is: one that does nothing then never ends.
        var steps = SeededGenerator(seed: world.seed, for: "steps of settling")
        let drawn = draw(lane) { $0.number(1...3) }
        let most = steps.chance(50) ? 1 : drawn
        guard let commit = try store.lane(lane).settle(most: most) else { return }
        world.marks[.settlingSteps] += 1
        group.commits.append(commit)
        group.notices.append { [self] in
            handle(commit, lane)
            // What is let go waits until all is done.
            if !commit.isUnsettled, world.profile.letsGo { enter(.collect) }
        }
    }

    /// Keeps what an app wrote here.
    private func write(
        _ drafted: StoreTransaction, _ own: Work.OwnWrite, _ group: inout Group
    ) throws(StoreFailure) {
        var transaction = drafted
        world.sabotage?(&transaction)
        let holds = try conditionHolds(of: transaction, own.staged)
        let movable = movableItems(transaction)
        let commit = try store.commit(transaction)
        group.note(commit)
        demandNothingOutranked(commit)
        demandCondition(of: transaction, holds, commit)
        demandMoves(movable, transaction, commit)
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
        if own.isBatch { group.isDurable = true }
        if restoredAndWrote != nil { restoredAndWrote = true }
        group.notices.append { self.handle(commit, transaction.lane) }
        if transaction.batch != nil, commit.isUnsettled { considerRescue() }
        // Who asked is told only later, but a crash that comes between may not take it, either.
        group.outcomes.append { [world] in
            world.ledger.acknowledge(written)
            own.acknowledge(written)
        }
    }

    /// Whether the client state is the one that a batch expects, and its app has room for it; nil if it asks nothing.
    private func conditionHolds(
        of transaction: StoreTransaction, _ staged: [Journal.Draft]
    ) throws(StoreFailure) -> Bool? {
        guard let condition = transaction.condition else { return nil }
        if let quota = condition.quota { return hasRoom(quota, for: transaction, staged) }
        guard let expected = condition.state else { return nil }
        return try store.shownState(of: expected.name)?.state.state == expected.state
    }

    /// A batch is refused if its condition does not hold, and only then.
    private func demandCondition(of transaction: StoreTransaction, _ holds: Bool?, _ commit: StoreCommit) {
        guard let holds else { return }
        let isQuota = transaction.condition?.quota != nil
        if !holds { world.marks[isQuota ? .quotasRefused : .conditionsRefused] += 1 }
        guard holds != (commit.refusal == nil) else { return }
        world.violate(
            isQuota ? .bounds : .checkpointsFollowData,
            about: Violation.Subject(transaction.writes, at: self),
            "\(name) \(holds ? "refuses" : "keeps") a batch whose condition \(holds ? "holds" : "does not hold")"
                + (commit.refusal.map { ": \($0)" } ?? ""))
    }

    /// Where no device wrote with a time that no clock shows, nothing is beyond belief, so that nobody is told that a
    /// write does not count.
    private func demandNothingOutranked(_ commit: StoreCommit) {
        guard world.profile[.strangeTime] == 0, !commit.outranked.isEmpty else { return }
        world.violate(
            .acknowledgedIsKept, about: Violation.Subject(records: commit.outranked, at: self),
            "\(name) is told that what it writes does not count, and nobody wrote with a time that no clock shows"
        )
    }

    /// An update that names a domain leaves its item there, if the item could be read.
    private func demandMoves(
        _ movable: Set<RecordIdentity>, _ transaction: StoreTransaction, _ commit: StoreCommit
    ) {
        for late in transaction.late {
            guard case .update(let name, let domain?, _) = late.action,
                movable.contains(name.key.identity),
                let made = commit.additions.first(where: { $0.dot == late.dot }),
                let scope = contents.record(made.identity)?.content?.scope,
                scope != .items(app: name.app, index: name.index, domain: domain)
            else { continue }
            world.violate(
                .acknowledgedIsKept, about: Violation.Subject([made], at: self),
                "\(name.identifier) is in \(scope.told) at \(self.name), and was moved to \(domain)")
        }
    }

    /// The items that updates of a transaction may move: an item in a form of a newer version stays where it is.
    private func movableItems(_ transaction: StoreTransaction) -> Set<RecordIdentity> {
        var movable = Set(transaction.writes.filter(\.isFull).map(\.identity))
        for case .update(let name, _?, _) in transaction.late.map(\.action) {
            let identity = name.key.identity
            guard !movable.contains(identity), let content = contents.record(identity)?.content else {
                continue
            }
            do throws(CBORError) {
                _ = try Item(name, content)
                movable.insert(identity)
            } catch {
                continue
            }
        }
        return movable
    }

    /// What was written last stands, but for what came meanwhile, or who wrote it is told that it does not.
    private func demandTruth(of written: [Write], seen: VersionVector, outranked: [RecordIdentity]) {
        guard world.profile[.strangeTime] > 0 else { return }
        let last = Dictionary(written.map { ($0.identity, $0) }) { _, last in last }
        for write in last.values where !write.isAdopted && !write.identity.kind.isPermanent {
            guard let record = contents.record(write.identity),
                let opening = record.survivingWrites.first(where: { $0.isFull || $0.action == .deletion }),
                World.isStrange(opening.stamp.time), seen.covers(opening.dot),
                !outranked.contains(write.identity)
            else { continue }
            let isLost =
                switch write.action {
                case .full: true
                case .deletion: record.isThere
                case .partial, .count: false
                }
            guard isLost else { continue }
            world.violate(
                .acknowledgedIsKept, about: Violation.Subject([write, opening], at: self),
                "\(name) is not told that its \(write.told(in: world)) does not count beside \(opening.told(in: world))"
            )
        }
    }

    /// Takes what a peer sent.
    private func apply(
        _ arriving: StoreTransaction, from endpoint: Endpoint, _ group: inout Group
    ) throws(StoreFailure) -> StoreCommit {
        var transaction = arriving
        world.sabotage?(&transaction)
        guard transaction.range != nil || transaction.isAhead else {
            try takeAgain(before: transaction)
            let commit = try store.commit(transaction)
            group.applied.append((arriving, endpoint))
            return commit
        }
        let life = newLife()
        transaction.renewingLife = life
        let seen = contents.complete
        let openings = Dictionary(
            contents.survivingWrites.filter { $0.isOpening }.map { ($0.identity, $0.dot) },
            uniquingKeysWith: max
        )
        let states = contents.survivingWrites.filter { $0.identity.kind.isCheckpoint && $0.isFull }
        let commit = try store.commit(transaction)
        group.applied.append((arriving, endpoint))
        // A client state in doubt goes, and its job begins again where the one before it says.
        for state in states where !contents.reflects(state) {
            world.waive(state)
            demandEarlier(than: state, in: transaction)
        }
        if let range = transaction.range { demandNoDoubt(range, transaction, commit) }
        for write in commit.changed.flatMap(\.survivingWrites) where write.dot.origin.life == life {
            world.tell("\(name) writes anew \(write.told(in: world))")
            world.marks[.renewals] += 1
            var entry = Ledger.Entry(write: write, author: number, at: world.now, seen: seen)
            // A trace may be gone that only another machine of this identity had: then nobody knows better.
            if write.isOpening, world.isOnly(self) { entry.renews = openings[write.identity] }
            group.entries.append(entry)
        }
        return commit
    }

    /// Now and then a batch comes once more that came long ago, as if by a slower way: all of it is claimed, so that
    /// nothing may change, whatever was overwritten, deleted and let go since.
    private func takeAgain(before arriving: StoreTransaction) throws(StoreFailure) {
        let (lane, complete) = (arriving.lane, contents.complete)
        if let earlier = taken[lane], world.streams["taken again"].chance(30) {
            let writes = world.streams["taken again"].pick(earlier)
            if writes.allSatisfy({ complete.covers($0.dot) }) {
                var again = StoreTransaction(
                    lane: lane, writes: writes, completing: VersionVector(), clock: .zero)
                var sender = complete
                sender.join(contents.dropped)
                again.sender = sender
                let commit = try store.commit(again)
                if !commit.changed.isEmpty {
                    world.violate(
                        .noResurrection, about: Violation.Subject(writes, at: self),
                        "\(name) takes once more what it claims: \(writes.map { $0.told(in: world) })")
                }
            }
        }
        guard !arriving.isMending, !arriving.writes.isEmpty else { return }
        taken[lane, default: []].append(arriving.writes)
        if taken[lane, default: []].count > 30 { taken[lane]?.removeFirst() }
    }

    /// What a client state had overwritten that goes is there again, if the range brings it.
    private func demandEarlier(than state: Write, in transaction: StoreTransaction) {
        for write in transaction.writes
        where transaction.range != nil && write.identity == state.identity && !contents.reflects(write) {
            world.violate(
                .acknowledgedIsKept, about: Violation.Subject([write, state], at: self),
                "\(name) gives up \(state.told(in: world)), and does not take \(write.told(in: world)) in its place"
            )
        }
    }

    /// After a range nothing stands in it that its sender neither knows nor sent, and that is no later than what it let
    /// go there: it went, or was written anew.
    private func demandNoDoubt(
        _ range: ReceivedRange, _ transaction: StoreTransaction, _ commit: StoreCommit
    ) {
        // What batches and clears have left to be done stands as it will be, and not as the store can judge it now.
        guard !commit.isUnsettled else { return }
        for write in contents.survivingWrites
        where write.dot.origin.lane == transaction.lane && range.judges(write.identity)
            && !write.identity.kind.isPermanent && write.action != .deletion
        {
            guard let beginning = write.beginning, beginning.time <= range.horizon,
                !range.known.covers(write.dot),
                !transaction.writes.contains(where: {
                    $0.identity == write.identity && $0.beginning == beginning
                })
            else { continue }
            world.violate(
                .noResurrection, about: Violation.Subject([write], at: self),
                "\(name) leaves \(write.told(in: world)) as it is, which may have been ended by what was let go"
            )
        }
    }

    // MARK: Letting go

    /// Says of one lane after the other what of it survives the loss of power from now on.
    private func report(
        _ complete: VersionVector, of lane: Lane, _ group: inout Group
    ) throws(StoreFailure) {
        try store.lane(lane).report(of: identity.device, having: complete)
        group.isDurable = true
        group.notices.append {
            self.enter(lane == .activities ? .report(complete, .index) : .readReports)
        }
    }

    /// A session opened.
    func handleOpening(of endpoint: Endpoint) {
        endpoint.session.tellReports(reports)
        noteConnections()
    }

    /// Passes reports on, and lets go of what they allow.
    private func handle(_ reports: Reports) {
        self.reports = reports
        for endpoint in endpoints { endpoint.handle { $0.tellReports(reports) } }
        if world.profile.letsGo { enter(.collect) }
    }

    private func letGo() throws(StoreFailure) {
        guard mayLetGo, !endpoints.contains(where: { $0.session.isPeerSetBack }) else { return }
        let most = generator.pick([1, 3, 1000])
        let count = try store.collect(CollectRequest(roster: waitedFor, most: most))
        guard count > 0 else { return }
        world.tell("\(name) lets go of \(count) traces")
        world.marks[.tracesLetGo] += count
        if world.nodes.contains(where: { peer in
            peer !== self && !endpoints.contains { $0.peer === peer }
        }) {
            world.marks[.tracesLetGoWhileAway] += count
        }
        enter(.collect)
    }

    /// Forgets what devices said that are gone for good.
    private func forget(_ group: inout Group) throws(StoreFailure) {
        try giveUp(gone, &group) { (store) throws(StoreFailure) in try store.forget(gone) }
        let known = contents.reports
        group.notices.append { self.reports = known }
    }

    /// Does something for which a store may give up all that it claims, because a snapshot of those devices will not come
    /// to its end; then it meets everyone anew, with a life that goes on with nothing.
    private func giveUp(
        _ devices: Set<DeviceIdentifier>, _ group: inout Group,
        _ body: (any AccountStore) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        var isTakingSnapshot = false
        for device in devices where try !store.summary(for: device).snapshots.isEmpty {
            isTakingSnapshot = true
        }
        guard try body(store) || mayHaveGivenUp else { return }
        if !isTakingSnapshot, !mayHaveGivenUp {
            world.violate(
                .costFollowsChange, about: Violation.Subject(at: self),
                "\(name) gives up all that it claims, and no snapshot was under way")
        }
        group.givesUp = true
        let known = contents.reports
        group.notices.append { [self] in
            (reports, mayHaveGivenUp) = (known, false)
            begin(newLife())
            meetAnew()
        }
    }

    /// Writes once more what devices of which nobody is left, and earlier lives of this one, wrote and lost.
    private func adoptStrays() throws(StoreFailure) {
        guard !endpoints.isEmpty, endpoints.allSatisfy({ $0.session.isInStep }) else { return }
        #if DEBUG
            if Faults.isPlanted(.straysNeverAdopted) { return }
        #endif
        let authors = gone.union([identity.device])
        for lane in Lane.allCases {
            let strays = try store.strays(of: authors, in: lane)
            guard !strays.isEmpty else { continue }
            let latest = strays.map(\.dot.origin.life).max() ?? journal.life
            if latest >= journal.life { begin(newLife(after: latest.birth)) }
            guard let transaction = journal.adoption(of: strays, in: lane) else { continue }
            world.tell("\(name) adopts \(transaction.writes.map { $0.told(in: world) })")
            world.marks[.adoptions] += transaction.writes.count
            enter(.write(transaction, Work.OwnWrite(isBatch: false, seen: known) { _ in }))
        }
    }

    /// Whether a newer client state than the one that is shown waits for its data.
    private func holdsBack(_ job: ClientStateName) -> Bool {
        guard let record = contents.record(job.key.identity), record.isThere else { return false }
        return ask { (store) throws(StoreFailure) in try store.shownState(of: job) }?.stamp
            != record.incarnation
    }

    // MARK: What becomes of it

    private func handle(_ commit: StoreCommit, _ lane: Lane) {
        journal.witness(commit.clock)
        considerSweep()
        for endpoint in endpoints { endpoint.handleCommit(lane) }
        if commit.isUnsettled { settleSoon(lane) }
        // An app could ask at any time.
        for name in commit.shown {
            let shown = ask { (store) throws(StoreFailure) in try store.shownState(of: name) }
            if let shown { world.noteShown(shown, at: self) }
        }
        #if DEBUG
            if Faults.isPlanted(.expiryAsDeletion) { sweep(commit.changed, lane) }
        #endif
    }

    /// What a session asked of a lane after what failed there is not done: a batch would claim what an earlier one
    /// brought.
    ///
    /// Behind what this device wrote and could not keep nothing is done of what any session asked.
    private func drop(afterFailureOf items: [Work], in lane: Lane?) {
        let isOwn = items.contains { if case .write = $0 { true } else { false } }
        for case .request(_, let endpoint, _) in isOwn ? items + work : items {
            endpoint.failedLanes.formUnion(lane.map { [$0] } ?? Lane.allCases)
        }
        for endpoint in endpoints where isOwn {
            endpoint.failedLanes.formUnion(lane.map { [$0] } ?? Lane.allCases)
        }
        work.removeAll(where: \.isInVain)
    }

    /// Nothing of a group was kept: sessions hear of it, and what this life named is not claimed.
    private func fail(_ items: [Work], in lane: Lane?, _ failure: StoreFailure) {
        // Who wrote hears of it last, and may write once more then.
        var failed: [(StoreFailure) -> Void] = []
        defer { for tell in failed { tell(failure) } }
        var isOwn = false
        for item in items {
            switch item {
            case .request(_, let endpoint, _): endpoint.handle { $0.handle(StoreAnswer.failed(failure)) }
            case .write(_, let own):
                begin(newLife())
                isOwn = true
                failed.append(own.failed)
                belonging?.saying = []
                if belonging != nil { later(10 * world.profile.pace) { [self] in sayOwn() } }
            case .stage(_, let batch): abandon(batch)
            case .discard(let batch): later(10 * world.profile.pace) { [self] in enter(.discard(batch)) }
            case .settle(let lane): later(10 * world.profile.pace) { [self] in enter(.settle(lane)) }
            case .forget, .abandon:
                // One lane may have given up what it claims.
                mayHaveGivenUp = true
                later(10 * world.profile.pace) { [self] in enter(.forget) }
            case .heed:
                if belonging != nil { later(10 * world.profile.pace) { [self] in enter(item) } }
            case .report, .readReports, .collect, .sweep, .adopt, .begin: break
            }
        }
        let life = journal.life
        // What was named for the other lane is kept by then, or will be, and names nothing that was not.
        work.removeAll {
            guard case .write(let transaction, let own) = $0, transaction.lane == lane,
                !transaction.completing.sorted.allSatisfy({ $0.origin.life == life })
            else { return false }
            failed.append(own.failed)
            return true
        }
        // Who was told of one of them has it, and takes it for known here: met anew, they bring it back.
        if isOwn { meetAnew() }
    }
}

extension Write {
    /// The stamp with which an incarnation or a counter begins.
    fileprivate var beginning: Stamp? {
        switch action {
        case .full, .deletion: stamp
        case .count(let begun, _): begun
        case .partial: nil
        }
    }
}

extension StoreFailure {
    /// Whether the store was asked for what it may refuse on any disk.
    fileprivate var isRefusal: Bool { code == .peerSetBack || code == .unreadable }
}
