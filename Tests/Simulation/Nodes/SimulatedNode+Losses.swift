import BatonCore
import Support

/// Ends of a process, and operations on a disk while none runs.
extension SimulatedNode {
    /// The process crashes; its store and the data outside its home stay.
    func crash() {
        world.tell("\(name) crashes with \(work.count) things to do")
        stop()
        disk.endProcess()
        enterFound()
        // It may end between announcing a write to the witness and storing it.
        if generator.chance(20) { witness[world.streams["witness"].pick(Lane.allCases)] = nil }
    }

    /// The process stops in order: it tells all peers, takes no more work, and does its pending work.
    func stopInOrder() {
        world.tell("\(name) stops with \(work.count) things to do")
        (isUp, isStopping) = (false, true)
        for endpoint in endpoints {
            endpoint.handle { $0.close(CloseReason(.goingAway, "the node stops")) }
        }
        endIfDone()
    }

    /// Ends a process that is stopping in order, once all its work is done.
    func endIfDone() {
        guard isStopping, work.isEmpty, busy.isEmpty, !isPaused else { return }
        world.tell("\(name) has stopped")
        let (named, awaitsOrder) = (journal.names, awaitsOrder)
        endStopping()
        // A life that wrote nothing leaves nothing to continue, the witness does not note the first life of all, and a
        // life counts only once its order of arrival has begun.
        let isNoted = named.life != firstLife && !named.sequences.isEmpty && !awaitsOrder
        stoppedWith = isNoted ? named.life : nil
    }

    private func endStopping() {
        isStopping = false
        stop()
        disk.close()
        enterFound()
    }

    /// The machine loses power; unsynced data is gone, and all data outside the home.
    func losePower() {
        world.tell("\(name) loses power with \(work.count) things to do")
        stop()
        if disk.losePower() { world.marks[.powerLosses] += 1 }
        enterFound()
        if !reported.isWithin(contents.complete) {
            world.violate(.acknowledgedIsKept, "\(name) reported to have for good what went with the power")
        }
        (witness, witnessed, toldAhead) = ([:], [:], [:])
        apps?.losePower()
        lifeOrder.known = []
        world.noteLoss(at: self)
    }

    /// Restores the backup.
    func restore() {
        guard let backup = disk.backup else { return }
        world.tell("\(name) comes from a backup")
        stop()
        disk.put(backup)
        enterFound()
        reported = VersionVector()
        lifeOrder.known = []
        (restoredAndWrote, hasOlderDisk) = (false, true)
        considerDamage()
        world.noteLoss(at: self)
    }

    /// Empties the store; the device keeps its identity.
    func empty() {
        world.tell("\(name) is emptied")
        stop()
        disk.put(.empty)
        reported = VersionVector()
        lifeOrder.known = []
        hasOlderDisk = true
        world.marks[.emptied] += 1
        considerDamage()
        world.noteLoss(at: self)
    }

    /// Rescues a broken store: its records stay, and its claims are lost.
    func rescue() {
        world.tell("\(name) is rescued")
        stop()
        disk.rescue()
        enterFound()
        reported = VersionVector()
        lifeOrder.known = []
        hasOlderDisk = true
        world.marks[.rescued] += 1
        world.noteLoss(at: self)
    }

    /// Breaks a store now and then that has not merged an ended batch.
    func considerRescue() {
        guard world.disksFailMidway, world.profile[.rescue] > 0, !world.isHealed,
            world.streams["rescued batches"].chance(60)
        else { return }
        endNow { $0.rescue() }
    }

    /// Ends a process now and then in the middle of a snapshot that it takes.
    func considerCrash() {
        guard world.profile[.crash] > 0, !world.isHealed, world.streams["crashed snapshots"].chance(3) else {
            return
        }
        endNow { $0.crash() }
    }

    /// Destroys a device now and then in the middle of a snapshot that it sends.
    func considerLoss(of sender: SimulatedNode) {
        guard world.profile[.loseSender] > 0, !sender.isFaulty else { return }
        world.enter(at: world.now) { [world] in
            guard world.honest.contains(where: { $0 === sender }), world.canSpare(sender),
                world.happens(.loseSender)
            else { return }
            world.marks[.sendersLost] += 1
            world.destroy(sender, .loseSender, dismissedWithin: 0...5)
        }
    }

    /// Ends the process that way once the present step is done, and starts another one soon after.
    private func endNow(_ end: @escaping (SimulatedNode) -> Void) {
        let run = run
        world.enter(at: world.now) { [self] in
            guard run == self.run, isUp, !world.isHealed else { return }
            end(self)
            world.enter(at: world.now + .milliseconds(world.profile.pace)) { [self] in
                if !world.isHealed, world.honest.contains(where: { $0 === self }) { start() }
            }
        }
    }

    /// Enters writes in the ledger whose group failed and which the disk has all the same.
    ///
    /// A disk that fails to sync may have taken the group: this process gives it up, and the next one finds it. Such
    /// writes were not reported as stored.
    func enterFound() {
        guard !entriesInDoubt.isEmpty else { return }
        let complete = contents.complete
        for entry in entriesInDoubt where complete.covers(entry.write.dot) {
            world.noteWritten(entry, at: self)
        }
        entriesInDoubt.removeAll { complete.covers($0.write.dot) }
    }

    /// Ends the process for whatever reason.
    func stop() {
        run += 1
        // The notice of a shared life may have waited for the disk; the next process has another life, and knows nothing.
        if !work.isEmpty || !busy.isEmpty {
            sharedLives = sharedLives.filter { contents.record(SharedLife($0).key.identity)?.isThere == true }
        }
        (isUp, isStopping, work, busy, stoppedWith) = (false, false, [], [], nil)
        receivedBatches = OpenBatches()
        isOrderAsked = false
        accountDeadline = nil
        (ownWrites, contactNotes) = ([:], [])
        refusedSubjects.noteEnd()
        resume()
        apps?.stop()
        program?.loseNode()
        for endpoint in endpoints { endpoint.cut() }
        world.mix(UInt64(number), UInt64(run))
    }

    /// Whether a life is continued whatever the witness says, which is a fault.
    private var keepsLife: Bool {
        #if MISTAKES
            Faults.isPlanted(.lifeKeptAfterRestore)
        #else
            false
        #endif
    }

    /// Starts the process, which continues its life if the witness agrees; where the disk refuses, it is started again.
    func start() {
        guard !isUp, world.nodes.contains(where: { $0 === self }) else { return }
        // A start does not wait for the end of the previous process.
        if isStopping { endStopping() }
        do throws(StoreFailure) {
            try open()
            isUp = true
            noteMembership()
            keepRevocations()
            apps?.start()
            drive { $0.start(isFirst: isFirst, in: self) }
            program?.noteNode()
        } catch {
            world.noteFailure(error, at: self, doing: "start")
            let run = run
            world.enter(at: world.now + .milliseconds(10 * world.profile.pace)) { [self] in
                if run == self.run { start() }
            }
        }
    }

    private func open() throws(StoreFailure) {
        let summary = try store.summary()
        #if MISTAKES
            let kept = Faults.isPlanted(.hybridTimeNotStored) ? .zero : summary.clock
        #else
            let kept = summary.clock
        #endif
        let clock = toldAhead.values.map(\.time).reduce(kept) { max($0, $1) }
        (known, knewNoTime) = (summary.complete, summary.clock == .zero)
        lostWrites = world.ledger.entries.contains {
            $0.write.dot.origin.life.isOf(identity.device) && !summary.complete.covers($0.write.dot)
        }
        lifeOrder.inThisProcess = []
        var lives = SeededGenerator(seed: world.seed, for: "lives of \(number) in run \(run)")
        var journal: Journal
        if let marks = try agreedMarks, let life = marks.values.first?.life {
            world.tell("\(name) starts, and goes on with life \(life.told(in: world))")
            journal = Journal(life: life, latest: clock, after: marks.mapValues(\.sequence))
            demandLatest(life)
            // Writes in doubt that the store lacks were never kept, and their names are free; so are those of batches.
            world.forgetUnwrittenBatches(of: life)
            entriesInDoubt.removeAll { entry in
                let origin = entry.write.dot.origin
                return origin.life == life && entry.write.dot.sequence > marks[origin.lane]?.sequence ?? 0
            }
            lifeOrder.inThisProcess = [life]
            world.marks[.lifeGoesOn] += 1
            if stoppedWith == life { world.marks[.stopped] += 1 }
        } else if keepsLife {
            let life = self.journal.life
            world.tell("\(name) keeps life \(life.told(in: world)), whatever was put back")
            journal = Journal(life: life, latest: clock, after: try marks(of: life).mapValues(\.sequence))
        } else {
            if let ended = stoppedWith {
                world.violate(
                    .costFollowsChange, about: Violation.Subject(at: self),
                    "\(name) stopped in order and does not go on with its life \(ended.told(in: world))")
            }
            let life = Life(after: clock, of: identity.device, random: lives.next())
            note(life)
            demandLater(life)
            world.tell("\(name) starts with life \(life.told(in: world))")
            journal = Journal(life: life, latest: clock)
            let order: ArrivalOrder = world.streams["orders"].identifier()
            try store.begin(order)
            (orderBegun, ordersTried) = (order, [])
            world.noteBeginning(at: self)
            if !witness.isEmpty { world.marks[.lifeBegins] += 1 }
        }
        journal.signer = signer
        witness = try marks(of: journal.life)
        witnessed = witness.mapValues { _ in journal.life }
        var written = summary.complete
        for (lane, told) in toldAhead {
            written.extend(Origin(life: told.life, lane: lane), to: told.sequence)
        }
        account = Account(
            in: journal, admitted: OwnAdmission(identity, papers), knowing: try storedMembership(),
            keeping: revocations.keys, lacking: Set(try store.lane(.activities).lacking(revocations.keys)),
            by: world.authority, havingWritten: written, reports: summary.reports,
            quarantined: try store.quarantined(), contacts: try store.notes(in: .lastContact),
            keepingFinished: finishedDays, at: clocks, limits: world.limits, drawingFrom: lives)
        reportsWhenCollecting = summary.reports
        noteLostRevocations()
    }

    /// The marks of all lanes, or nil unless the store has them as the witness noted them, all of one life and one
    /// order.
    private var agreedMarks: [Lane: LaneMark]? {
        get throws(StoreFailure) {
            #if MISTAKES
                if Faults.isPlanted(.lifeKeptByOneLane), let noted = witness[.activities] {
                    let marks = try marks(of: noted.life)
                    return marks[.activities] == noted ? marks : nil
                }
            #endif
            guard let noted = witness[.activities], witness.count == Lane.allCases.count,
                witness.values.allSatisfy({ $0.life == noted.life && $0.order == noted.order })
            else { return nil }
            let isToldOfMore = toldAhead.contains { lane, told in
                told.life == noted.life
                    ? told.sequence > witness[lane]?.sequence ?? 0 : told.life > noted.life
            }
            guard !isToldOfMore else { return nil }
            return try marks(of: noted.life) == witness ? witness : nil
        }
    }

    private func marks(of life: Life) throws(StoreFailure) -> [Lane: LaneMark] {
        var marks: [Lane: LaneMark] = [:]
        for lane in Lane.allCases { marks[lane] = try store.lane(lane).mark(of: life) }
        return marks
    }
}
