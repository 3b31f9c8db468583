import BatonCore
import Support

/// Reports of nodes and connections to the world, for the ledger, the story and the checkers.
extension World {
    func noteWritten(_ entry: Ledger.Entry, at node: SimulatedNode) {
        if !ledger.enter(entry), !hasTwins { noteTwice(entry) }
        // A node that meets a member without a record here enters the member: that is a change like any other.
        if profile.hasRoster, entry.write.identity.kind == .device { meter?.changed.insert(entry.write.dot) }
        for checker in checkers { checker.noteWritten(entry, at: node, self) }
    }

    /// Forgets the batches of a life of which nothing was written: another transaction may get their names.
    func forgetUnwrittenBatches(of life: Life) {
        sentBatches = sentBatches.filter { $0.key.origin.life != life || ledger[$0.key] != nil }
    }

    /// A dot names a second write; the first one may have been lost although it was acknowledged.
    private func noteTwice(_ entry: Ledger.Entry) {
        if let first = ledger[entry.write.dot], first.isAcknowledged, !first.isLost,
            !nodes.contains(where: { $0.contents.reflects(first.write) })
        {
            violate(
                .acknowledgedIsKept, about: Violation.Subject([first.write]),
                "\(first.write.told(in: self)), which \(name(of: first.author)) acknowledged, was never kept")
        }
        violate(
            .dotsAreUnique, about: Violation.Subject([entry.write]),
            "\(entry.write.told(in: self)) uses a dot a second time")
    }

    func noteMerged(_ transaction: StoreTransaction, _ endpoint: Endpoint, at node: SimulatedNode) {
        for checker in checkers { checker.noteMerged(transaction, endpoint, at: node, self) }
    }

    func noteKept(_ transaction: StoreTransaction, _ endpoint: Endpoint, at node: SimulatedNode) {
        for checker in checkers { checker.noteKept(transaction, endpoint, at: node, self) }
    }

    func noteCommit(at node: SimulatedNode) {
        mix(UInt64(node.number), UInt64(ledger.entries.count))
        if profile.collects { noteDropped(node.contents.dropped) }
        for checker in checkers { checker.noteCommit(at: node, self) }
    }

    func noteSummary(_ summary: StoreSummary, for endpoint: Endpoint) {
        for checker in checkers { checker.noteSummary(summary, for: endpoint, self) }
    }

    func noteAsked(_ request: ChangesRequest, by endpoint: Endpoint) {
        for checker in checkers { checker.noteAsked(request, by: endpoint, self) }
    }

    func noteCommitted(_ commit: StoreCommit, at node: SimulatedNode) {
        for checker in checkers { checker.noteCommitted(commit, at: node, self) }
    }

    /// Whether disks refuse in the middle of a store's work.
    var disksFailMidway: Bool { store == .sqlite && diskTroubles.failMidway }

    /// A store did not do its work; only its disk may be the reason.
    func noteFailure(_ failure: StoreFailure, at node: SimulatedNode, doing what: String) {
        tell("\(node.name) can't \(what): \(failure)")
        guard !(failure.code == .full && node.isFull) else { return }
        guard !node.disk.isFailing else { return marks[.failedMidway] += 1 }
        violate(.acknowledgedIsKept, "\(node.name) can't \(what) on a sound disk: \(failure)")
    }

    func noteLoss(at node: SimulatedNode) {
        for checker in checkers { checker.noteLoss(at: node, self) }
    }

    func noteBeginning(at node: SimulatedNode) {
        for checker in checkers { checker.noteBeginning(at: node, self) }
    }

    /// A session found that everything that the peer claims is claimed here.
    func noteMeeting(at endpoint: Endpoint) {
        for checker in checkers { checker.noteMeeting(at: endpoint, self) }
    }

    func noteShown(_ state: ShownState, at node: SimulatedNode) {
        tell("\(node.name) shows a state of index \(state.name.index) from \(state.stamp.told(in: self))")
        for checker in checkers { checker.noteShown(state, at: node, self) }
    }

    /// Two nodes with the same claims hold different states.
    func noteDifference(_ difference: Difference, _ endpoint: Endpoint) {
        guard !endpoint.node.isFaulty, !endpoint.peer.isFaulty, !hasTwins else { return }
        if difference == .found, !plantedDifferences.isEmpty,
            endpoint.node.differsAtMost(in: plantedDifferences, from: endpoint.peer)
        {
            tell("\(endpoint.node.name) and \(endpoint.peer.name) found what they were made to differ in")
            return marks[.differences] += 1
        }
        // A range took a client state here, and another device was never sent one: comparing exists for such cases.
        if difference == .found, endpoint.node.differsOnly(in: statesGivenUp, from: endpoint.peer) {
            return tell(
                "\(endpoint.node.name) and \(endpoint.peer.name) differ in a client state that was given up")
        }
        // The protocol lets a device whose clock went back by days find what others have swept meanwhile.
        if difference == .found, endpoint.differsOnlyInSwept {
            return tell(
                "\(endpoint.node.name) and \(endpoint.peer.name) differ in what has not expired by their clocks, and was swept"
            )
        }
        suspect(
            [endpoint.node, endpoint.peer], of: .convergence,
            "\(endpoint.node.name) and \(endpoint.peer.name) claim the same and hold something else: \(difference)"
        )
    }

    /// A client state was given up, and with it those that it had overwritten and that nobody has any more.
    func waive(_ state: Write) {
        statesGivenUp.insert(state.identity)
        let held = Set(nodes.flatMap { $0.contents.survivingWrites }.map(\.dot))
        for entry in ledger.entries
        where entry.write.identity == state.identity && entry.write.stamp <= state.stamp
            && !held.contains(entry.write.dot)
        {
            ledger.waive(entry.write.dot)
        }
    }

    /// A node believes that another machine has its identity, or that it lost its own writes.
    ///
    /// Both must be so. Only lies and clocks that are set may mislead a device.
    func noteTwin(_ effect: TwinDetection.Effect, at node: SimulatedNode) {
        if case .appeared = effect { node.hasNoticedTwin = true }
        tell("\(node.name) believes in another machine with its identity, or in a loss: \(effect)")
        // Where days are skipped, a disk has had a write for longer than a machine leaves one unsynced.
        guard nodes.allSatisfy({ !$0.isFaulty }), profile[.day] == 0,
            [Fault.clock, .strangeTime, .clockBehindBatch].allSatisfy({ profile[$0] == 0 })
        else { return }
        let device = node.identity.device
        let own = ledger.entries.filter { $0.write.dot.origin.life.isOf(device) }
        guard !own.contains(where: { $0.author != node.number }) else { return }
        let isTrue =
            switch effect {
            case .appeared: nodes.contains { $0 !== node && $0.identity.device == device }
            case .setBack(_, isOlderCopy: true): node.hasOlderDisk || node.knewNoTime
            case .setBack(_, isOlderCopy: false): node.lostWrites
            }
        guard !isTrue else { return }
        violate(
            .dotsAreUnique, about: Violation.Subject(at: node),
            "\(node.name) believes in another machine with its identity, or in a loss, and there is none: \(effect)"
        )
    }

    /// A node believes that someone else writes under its life.
    func noteTaken(_ life: Life, _ endpoint: Endpoint) {
        let node = endpoint.node
        if life == node.journal.life { node.sharedLives.insert(life) }
        node.drive { $0.handleTakenLife(life, shownBy: endpoint.peer.identity.device, in: node) }
        guard !endpoint.peer.isFaulty, !hasTwins else { return }
        violate(
            .dotsAreUnique, "\(endpoint.node.name) believes that its life \(life.told(in: self)) is taken")
    }

    /// Reports that those nodes break a promise; a checker may know better which one.
    func suspect(
        _ nodes: [SimulatedNode], of promise: Promise, about writes: [Write] = [],
        _ sentence: @autoclosure () -> String
    ) {
        guard violation == nil else { return }
        let truth = Truth(self)
        for checker in checkers { for node in nodes { checker.judge(node, self, truth) } }
        violate(promise, about: Violation.Subject(writes, at: nodes.last), sentence())
    }

    /// A node received statements of the roster.
    func noteStatements(_ statements: [RosterStatement], at node: SimulatedNode, isAnew: Bool) {
        for checker in checkers { checker.noteStatements(statements, at: node, isAnew: isAnew, self) }
    }

    /// A node has these revocations in both files beside its store.
    func noteKept(_ revocations: [RosterStatement], at node: SimulatedNode) {
        for checker in checkers { checker.noteKept(revocations, at: node, self) }
    }

    func noteWaiting(_ endpoint: Endpoint) {
        for checker in checkers { checker.noteWaiting(endpoint, self) }
    }

    func noteFramesTaken(_ endpoint: Endpoint) {
        for checker in checkers { checker.noteFramesTaken(endpoint, self) }
    }

    /// A frame is sent.
    func noteSent(_ frame: Frame, from endpoint: Endpoint) {
        mix(UInt64(frame.kind.rawValue) << 32 | UInt64(endpoint.node.number), UInt64(frame.body.count))
        meter?.note(frame)
        if frame.kind == .standing, case .standing(let standing)? = try? PeerMessage(frame),
            standing.parts != nil
        {
            marks[.partsTold] += 1
        }
        for checker in checkers { checker.noteSent(frame, from: endpoint, self) }
        if [.hello, .batch, .acknowledgement, .continueAnswer, .reports].contains(frame.kind),
            !endpoint.node.isFaulty, let message = frame.message
        {
            for checker in checkers { checker.noteSent(message, from: endpoint, self) }
        }
        tell("\(endpoint.node.name) → \(endpoint.peer.name) \(frame.told(in: self))")
    }

    /// A frame arrived, and is about to be handled.
    func noteArrived(_ frame: Frame, at endpoint: Endpoint) {
        guard !endpoint.node.isFaulty, !endpoint.peer.isFaulty, let message = frame.message else { return }
        for checker in checkers { checker.noteArrived(message, at: endpoint, self) }
    }

    /// A session asks the store for a range of a snapshot.
    func noteRange(_ request: RangeRequest, by endpoint: Endpoint) {
        for checker in checkers { checker.noteRange(request, by: endpoint, self) }
    }

    /// A store said what it knows of the reports of all devices.
    func noteReports(_ reports: Reports, at node: SimulatedNode) {
        for checker in checkers { checker.noteReports(reports, at: node, self) }
    }

    /// A peer sent the addresses of devices.
    func noteAddresses(_ routes: [DeviceAddresses], at endpoint: Endpoint) {
        for checker in checkers { checker.noteAddresses(routes, at: endpoint, self) }
    }

    /// A session broke off.
    ///
    /// Between honest devices that may only happen for temporary reasons.
    func noteClosed(_ reason: CloseReason, _ endpoint: Endpoint) {
        for checker in checkers { checker.noteClosed(reason, endpoint, self) }
        if endpoint.isAcross {
            marks[.misdialled] += 1
        } else if endpoint.node.isFaulty || endpoint.peer.isFaulty {
            marks[.rubbishClosed] += 1
        } else if !reason.code.isTransient {
            violate(
                .convergence, about: Violation.Subject(at: endpoint.node),
                "\(endpoint.node.name) closed to the honest \(endpoint.peer.name): \(reason)")
        }
    }

    /// All is quiet.
    func judgeAtRest() {
        guard violation == nil else { return }
        tell("all is quiet")
        for node in nodes { node.disk.workOn(toEnd: true) }
        let truth = Truth(self)
        for checker in checkers { checker.judgeAtRest(self, truth) }
    }
}

extension Frame {
    /// Describes a message in a few words.
    func told(in world: World) -> String {
        switch message {
        case .hello(let hello):
            let cursors = Lane.allCases.compactMap { lane in
                hello.resume[lane].map { ", \(lane) from \($0.told)" }
            }
            return "hello, \(hello.features.isEmpty ? "of an older version" : "as usual")" + cursors.joined()
        case .standing(let standing):
            let snapshots = Lane.allCases.compactMap { lane in
                standing.snapshots[lane].map { "; snapshot of \(lane) \($0.told(in: world))" }
            }
            return "standing: has \(standing.complete.told(in: world)); collected up to "
                + standing.dropped.told(in: world) + snapshots.joined()
        case .batch(let batch):
            let whole = batch.complete.map { ", whole, claiming \($0.told(in: world))" } ?? ""
            return "batch \(batch.number), \(batch.transfer), next \(batch.resume.told): "
                + "\(batch.writes.map { $0.told(in: world) })\(whole)"
        case .acknowledgement(let number): return "keeps up to batch \(number)"
        case .reports(let reports):
            return "reports "
                + reports.sorted.map { "\(world.name(of: $0.device)): \($0.vector.told(in: world))" }
                .joined(separator: "; ")
        case .close(let reason): return "close: \(reason)"
        case nil: return "a frame that can't be read"
        default: return "\(kind)"
        }
    }
}

extension Endpoint {
    /// Whether both nodes differ only in what was swept somewhere, and one of them still shows some of it at a time of
    /// comparing that it or the other one told.
    fileprivate var differsOnlyInSwept: Bool {
        let times = [node.toldTimes[peer.identity.device], peer.toldTimes[node.identity.device]]
        guard let time = times.compactMap({ $0?.told }).min() else { return false }
        return node.showsSwept(at: time, unlike: peer) && node.differsAtMost(in: [], from: peer)
    }
}

extension SimulatedNode {
    /// Returns whether one of them holds, and the other does not, a record that was swept somewhere and has not expired
    /// at that time.
    fileprivate func showsSwept(at time: WallTime, unlike other: SimulatedNode) -> Bool {
        difference(from: other).contains { write in
            [self, other].compactMap { $0.contents.record(write.identity) }.contains { record in
                record.isThere && !record.isPlainlyExpired(at: time)
                    && world.swept.contains(record.identity, record.incarnation)
            }
        }
    }

    /// Returns whether only one of them holds something of those records, and both hold the same of everything else
    /// that both claim.
    fileprivate func differsOnly(in identities: Set<RecordIdentity>, from other: SimulatedNode) -> Bool {
        let isAmong = difference(from: other).contains { identities.contains($0.identity) }
        return isAmong && differsAtMost(in: identities, from: other)
    }

    /// Returns whether both hold the same of everything else that both claim.
    fileprivate func differsAtMost(in identities: Set<RecordIdentity>, from other: SimulatedNode) -> Bool {
        let claimed = [contents.complete, other.contents.complete]
        return difference(from: other).allSatisfy { write in
            // While writers never rest, a write may have been overwritten by one that the other node has not claimed
            // yet.
            write.isTombstone || contents.reflects(write) && other.contents.reflects(write)
                || world.swept.contains(write.identity, Record(write).incarnation)
                || identities.contains(write.identity)
                || !claimed.allSatisfy { $0.covers(write.dot) }
        }
    }

    private func difference(from other: SimulatedNode) -> [Write] {
        let (mine, others) = (contents.survivingWrites, other.contents.survivingWrites)
        return mine.filter { !others.contains($0) } + others.filter { !mine.contains($0) }
    }
}
