import BatonCore
import BatonStore
import Support

/// Questions to the store while a node does its work.
extension SimulatedNode {
    /// Sends a batch first in a form that the store refuses at its end, now and then, and checks that nothing of it
    /// stays.
    ///
    /// It is the first of its group, because the store may give up what came before it. It is small, because SQLite
    /// can't take back alone what was spilled.
    func refuseFirst(_ items: [Work], in lane: Lane) throws(StoreFailure) {
        guard world.store == .sqlite, let first = items.first, !first.isInVain,
            case .request(.apply(var transaction), _, _) = first, transaction.lane == lane,
            transaction.range == nil, !transaction.isAhead,
            transaction.writes.reduce(0, { $0 + $1.byteCount }) < 50_000,
            world.streams["refused first"].chance(5)
        else { return }
        let origin = Origin(life: Life(high: 6, low: 6), lane: lane)
        transaction.quarantined += (0...UInt64(Limits.quarantinedWrites)).map { number in
            QuarantinedWrite(
                dot: Dot(origin: origin, sequence: number + 1, place: 0), target: nil, reason: "on purpose")
        }
        do throws(StoreFailure) {
            _ = try store.commit(transaction)
        } catch {
            guard error.isRefusal else { throw error }
            return
        }
        world.violate(
            .bounds, about: Violation.Subject(transaction.writes, at: self),
            "\(name) quarantines more writes than the limit")
    }

    /// Checks that a range has every write of its records, also while a batch waits to be merged: it claims all of
    /// them.
    func demandWhole(_ answer: RangeAnswer, _ request: RangeRequest) {
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

    /// Returns whether the client state is the one that a batch expects, and its app has room for it; nil if the batch
    /// asks nothing.
    func conditionHolds(
        of transaction: StoreTransaction, _ staged: [Journal.Draft]
    ) throws(StoreFailure) -> Bool? {
        guard let condition = transaction.condition else { return nil }
        if let quota = condition.quota { return hasRoom(quota, for: transaction, staged) }
        guard let expected = condition.state else { return nil }
        return try store.shownState(of: expected.name)?.state.state == expected.state
    }

    /// Checks that a batch is refused exactly if its condition does not hold.
    func demandCondition(of transaction: StoreTransaction, _ holds: Bool?, _ commit: StoreCommit) {
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

    /// Checks that nobody is told that a write does not count where no device wrote with a time that no clock shows.
    func demandNothingOutranked(_ commit: StoreCommit) {
        guard world.profile[.strangeTime] == 0, !commit.outranked.isEmpty else { return }
        world.violate(
            .acknowledgedIsKept, about: Violation.Subject(records: commit.outranked, at: self),
            "\(name) is told that what it writes does not count, and nobody wrote with a time that no clock shows"
        )
    }

    /// Checks that an update that names a domain leaves its item there, if the item could be read.
    func demandMoves(
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

    /// Returns the items that updates of a transaction may move: an item in a form of a newer version stays where it
    /// is.
    func movableItems(_ transaction: StoreTransaction) -> Set<RecordIdentity> {
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

    /// Returns the items that updates of a transaction change, as they are before it and as ended batches will leave
    /// them; those that the transaction also changes in another way are left out.
    func updatedItems(_ transaction: StoreTransaction) -> [RecordIdentity: Record] {
        guard !transaction.writes.contains(where: { $0.identity.kind.isClear }) else { return [:] }
        let names = transaction.late.compactMap(\.action.item)
        var items: [RecordIdentity: Record] = [:]
        for name in names where names.count(where: { $0 == name }) == 1 {
            let identity = name.key.identity
            guard !transaction.writes.contains(where: { $0.identity == identity }) else { continue }
            items[identity] = settled(identity)
        }
        return items
    }

    /// Checks that an update of an item that is there is made, of the item as ended batches leave it, also if those are
    /// not merged yet.
    func demandUpdates(
        _ items: [RecordIdentity: Record], _ transaction: StoreTransaction, _ commit: StoreCommit
    ) {
        guard commit.refusal == nil else { return }
        for late in transaction.late {
            guard case .update(let name, _, let fields) = late.action, let item = items[name.key.identity],
                item.isThere, item.incarnation < late.stamp, item.expiration == nil
            else { continue }
            if isMerging { world.marks[.overtaken] += 1 }
            let made = commit.additions.first { $0.dot == late.dot }
            let isOfItem =
                if case .partial(let base, _) = made?.action { base == item.incarnation } else { made != nil }
            let after = settled(name.key.identity)?.fields ?? Fields()
            // A later change, stored before this one could be made, stays; a later clear may end what moves.
            let isOvertaken = item.survivingWrites.contains { $0.stamp > late.stamp }
            let isShown =
                isOvertaken || made?.isFull ?? false
                || fields.allSatisfy { after[$0.name] == Array($0.value) || CBORReader($0.value).nextIsNull }
            guard !isOfItem || !isShown else { continue }
            world.violate(
                .acknowledgedIsKept, about: Violation.Subject(records: [name.key.identity], at: self),
                "\(self.name) does not make an update of \(name.identifier), which is there"
                    + (made.map { ", but \($0.told(in: world))" } ?? ""))
        }
    }

    /// Returns a record as it is once all batches that have ended are merged.
    private func settled(_ identity: RecordIdentity) -> Record? {
        guard let contents = contents as? SQLiteContents else { return contents.record(identity) }
        return contents.look { (store) throws(StoreFailure) in try store.record(identity) }
    }

    /// Whether its store has yet to merge a batch or to carry out a clear.
    private var isMerging: Bool { (contents as? SQLiteContents)?.store.isUnsettled(.index) ?? false }

    /// Checks that the last write to a record stands, except for what came meanwhile, or its writer is told that it
    /// does not.
    func demandTruth(of written: [Write], seen: VersionVector, outranked: [RecordIdentity]) {
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

    /// Delivers an old batch again, now and then, as if by a slower way.
    ///
    /// All of it is claimed, so nothing may change, whatever was overwritten, deleted and garbage-collected since.
    func takeAgain(before arriving: StoreTransaction) throws(StoreFailure) {
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
        guard !arriving.isRepair, !arriving.writes.isEmpty else { return }
        taken[lane, default: []].append(arriving.writes)
        if taken[lane, default: []].count > 30 { taken[lane]?.removeFirst() }
    }

    /// Checks that a store refuses changes of a peer that lacks what it has dropped: one of the dropped deletions may
    /// have ended them.
    func demandNotSetBack(
        _ transaction: StoreTransaction, from endpoint: Endpoint, _ dropped: VersionVector
    ) {
        guard let sender = transaction.sender else { return }
        let lacking = dropped.sorted.first {
            $0.origin.lane == transaction.lane
                && !sender.covers(Dot(origin: $0.origin, sequence: $0.sequence, place: 0))
        }
        guard lacking != nil else { return }
        world.violate(
            .noResurrection, about: Violation.Subject(transaction.writes, at: self),
            "\(name) takes changes of \(endpoint.peer.name), which lacks deletions that were dropped here")
    }

    /// Checks that no store refuses a part of a snapshot for dropped deletions: a peer that lacks them catches up by a
    /// snapshot.
    func demandMayRefuse(
        _ transaction: StoreTransaction, of endpoint: Endpoint, _ failure: StoreFailure
    ) {
        guard failure.code == .peerSetBack, transaction.range != nil || transaction.isAhead else { return }
        world.violate(
            .convergence, about: Violation.Subject(transaction.writes, at: self),
            "\(name) refuses a part of a snapshot because its sender \(endpoint.peer.name) was set back")
    }

    /// Checks that a store reports claims as withheld only if it does not make them.
    ///
    /// A session does not believe such claims, and counts as out of step until the store is read again.
    func demandReasonToWithhold(_ transaction: StoreTransaction, _ commit: StoreCommit) {
        let ended = transaction.range.map { $0.through == nil ? $0.start : VersionVector() }
        let claims = ended ?? transaction.completing
        guard commit.isWithheld, claims.isWithin(contents.complete) else { return }
        world.violate(
            .convergence, about: Violation.Subject(transaction.writes, at: self),
            "\(name) reports that it withholds claims, and makes all of them")
    }

    /// Checks that after a range no write stands in it that its sender covers and did not send: it was overwritten or
    /// deleted there.
    ///
    /// Clears stay that a client state here does not contain. Records are not judged while some of the range can't be
    /// read.
    func demandRemoved(
        _ range: ReceivedRange, _ transaction: StoreTransaction, _ commit: StoreCommit,
        besides unseenClears: Set<RecordIdentity>
    ) {
        guard !commit.isUnsettled, transaction.quarantined.isEmpty else { return }
        let sent = Set(transaction.writes.map(\.dot))
        for write in contents.survivingWrites
        where write.dot.origin.lane == transaction.lane && range.judges(write.identity)
            && range.known.covers(write.dot) && !sent.contains(write.dot)
            && !unseenClears.contains(write.identity)
        {
            // The same write may have come under the name that an adopter gave it.
            guard
                !transaction.writes.contains(where: {
                    $0.identity == write.identity && $0.stamp == write.stamp
                })
            else { continue }
            world.violate(
                .noResurrection, about: Violation.Subject([write], at: self),
                "\(name) keeps \(write.told(in: world)), which the sender of a range covers and does not hold"
            )
        }
    }

    /// Whether it is taking a snapshot, and so does not claim yet all that was garbage-collected here.
    var isInSnapshot: Bool { !contents.dropped.isWithin(contents.complete) }

    /// Returns the items that a part of a snapshot may write anew, as they are before it is merged.
    func recordsThatMayBeRenewed(by transaction: StoreTransaction) -> [RecordIdentity: Fields] {
        guard let range = transaction.range else { return [:] }
        let sent = Set(transaction.writes.map(\.identity))
        let clears = transaction.writes.compactMap(\.clear)
        var fields: [RecordIdentity: Fields] = [:]
        // Counters that a clear ends, which comes along, are not written anew.
        var cleared: Set<RecordIdentity> = []
        for write in contents.survivingWrites where write.dot.origin.lane == transaction.lane {
            if let (scope, begun) = write.clearable, clears.contains(where: { $0.covers(scope, begun) }) {
                cleared.insert(write.identity)
            }
            guard write.isFull, range.judges(write.identity), !sent.contains(write.identity) else { continue }
            fields[write.identity] = contents.record(write.identity)?.content?.fields
        }
        return fields.filter { !cleared.contains($0.key) }
    }

    /// Checks that a record that is written anew keeps the fields of its updates; the mark is another one.
    func demandUpdatesKept(
        _ before: [RecordIdentity: Fields], _ transaction: StoreTransaction, _ life: Life,
        _ commit: StoreCommit
    ) {
        guard !commit.isUnsettled else { return }
        for record in commit.changed {
            guard let earlier = before[record.identity], let content = record.content,
                record.survivingWrites.contains(where: { $0.isFull && $0.dot.origin.life == life }),
                !content.fields.equals(earlier, besides: ActivityMark.number)
            else { continue }
            world.violate(
                .acknowledgedIsKept, about: Violation.Subject(record.survivingWrites, at: self),
                "\(name) writes \(record.identity.told) anew without the fields that it had")
        }
    }

    /// Checks that an earlier client state stands again if a range ends the later one and brings it.
    func demandEarlier(than state: Write, in transaction: StoreTransaction) {
        for write in transaction.writes
        where transaction.range != nil && write.identity == state.identity && !contents.reflects(write) {
            world.violate(
                .acknowledgedIsKept, about: Violation.Subject([write, state], at: self),
                "\(name) gives up \(state.told(in: world)), and does not take \(write.told(in: world)) in its place"
            )
        }
    }

    /// Checks that after a range nothing stands in it that its sender neither knows nor sent and that is no later than
    /// what it garbage-collected there: such a write is gone, or was written anew.
    func demandNoDoubt(
        _ range: ReceivedRange, _ transaction: StoreTransaction, _ commit: StoreCommit
    ) {
        // While batches or clears wait to be finished, `contents` shows the records as they will be then, and the store
        // judges them as they are now.
        guard !commit.isUnsettled else { return }
        for write in contents.survivingWrites
        where write.dot.origin.lane == transaction.lane && range.judges(write.identity)
            && write.identity.kind.isDeletable && write.action != .deletion
        {
            guard let beginning = write.beginning, beginning.time <= range.horizon,
                !range.known.covers(write.dot),
                !transaction.writes.contains(where: {
                    $0.identity == write.identity && $0.beginning == beginning
                })
            else { continue }
            world.violate(
                .noResurrection, about: Violation.Subject([write], at: self),
                "\(name) leaves \(write.told(in: world)) as it is, which a collected tombstone may have ended"
            )
        }
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
