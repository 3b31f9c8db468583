import BatonCore
import Support

/// App batches that are sent to the node in pieces, which end at once or never.
///
/// The programs that send them outlive the node: they learn of its restart only by what it refuses.
extension SimulatedNode {
    /// A batch in the node's process, of which it has these changes.
    struct ReceivedBatch: BegunBatch {
        let identifier: BatchIdentifier
        let index: ClientStateName
        var drafts: [Journal.Draft] = []
        /// The number of pieces that the disk has yet to store.
        var waiting = 0

        var count: Int { drafts.count }
    }

    /// A batch in the program of an app, which has sent these changes to the node.
    struct SentBatch {
        let number: UInt64
        let job: ClientStateName
        /// The position of the job behind these changes.
        var position: Int
        var sent: [Journal.Draft] = []
        /// The run of the node in which the batch was begun.
        var run: Int
    }

    private static let stream = "stage"

    /// An app continues a batch: it begins one, sends more, ends it, or gives it up.
    func stage(_ job: ClientStateName) {
        guard isUp else { return }
        let draw = { (range: ClosedRange<Int>) in self.world.streams[Self.stream].number(range) }
        guard let place = sentBatches.randomPlace(draw), draw(0...99) < 80 else { return beginBatch(of: job) }
        let isWaiting = receivedBatches[sentBatches[place].number].map { $0.waiting > 0 } ?? false
        switch draw(0...9) {
        case 0: discard(place)
        case 1...4 where !sentBatches[place].sent.isEmpty && !isWaiting: _ = end(place, draw)
        default: sendMore(of: place, draw)
        }
    }

    /// An app ends a batch, and at once changes or deletes items of it; without a batch that can end, it goes on with
    /// one.
    func overtake(_ job: ClientStateName) {
        guard isUp else { return }
        let draw = { (range: ClosedRange<Int>) in self.world.streams["overtake"].number(range) }
        let whole = sentBatches.indices.filter { receivedBatches[sentBatches[$0].number]?.waiting == 0 }
        guard let place = whole.first, draw(0...99) < 70 else {
            if sentBatches.isEmpty { beginBatch(of: job) }
            return sendMore(of: draw(0...sentBatches.count - 1), draw)
        }
        let sent = sentBatches[place]
        let keys = sent.sent.filter { $0.key.kind == .item && $0.isFull }.map(\.key)
        guard end(place, draw), !keys.isEmpty else { return }
        for _ in 0..<draw(1...3) {
            let key = keys[draw(0...keys.count - 1)]
            overtake(key, draw)
            // Another device may have an earlier item of that name.
            guard draw(0...99) < 30, let other = world.honest.first(where: { $0 !== self && $0.isUp }) else {
                continue
            }
            other.overtake(key, draw)
        }
    }

    /// Changes or deletes an item that a batch may have yet to write.
    private func overtake(_ key: RecordKey, _ draw: (ClosedRange<Int>) -> Int) {
        guard draw(0...99) < 75 else { return write(.index, [Journal.Draft(.deletion, key)]) }
        var update = Item.Update()
        update.domain = draw(0...3) == 0 ? "d\(draw(0...2))" : nil
        update.indexed = wallTime
        update.attributes[.title] = .plain(.string("changed \(draw(0...9))"))
        if draw(0...1) == 0 { update.removed = [.number(Attribute.keywords.number)] }
        write(
            .index, [Journal.Draft(late: .update(Self.name(of: key), domain: update.domain, update.fields))])
    }

    private static func name(of key: RecordKey) -> ItemName {
        do throws(CBORError) {
            return try ItemName(key)
        } catch {
            preconditionFailure("the key of an item that was written names one: \(error)")
        }
    }

    private func beginBatch(of job: ClientStateName) {
        guard sentBatches.count < 3 else { return }
        batchCount += 1
        sentBatches.append(
            SentBatch(number: batchCount, job: job, position: show(job).map(Self.position) ?? 0, run: run))
    }

    /// Sends the next changes of a batch; if the node refuses them, the program begins again with another batch.
    private func sendMore(of place: Int, _ draw: (ClosedRange<Int>) -> Int) {
        let batch = sentBatches[place]
        let drafts = indexDrafts(of: batch.job, from: &sentBatches[place].position, draw)
        sentBatches[place].sent += drafts
        let piece = BatchPlace(batch.number, offset: batch.sent.count)
        do throws(OpenBatches<ReceivedBatch>.Refusal) {
            _ = try receivedBatches.admit(
                piece, of: batch.job,
                beginning: ReceivedBatch(identifier: BatchIdentifier(value: batch.number), index: batch.job))
        } catch {
            return beginAgain(place, because: error)
        }
        receivedBatches[batch.number]?.drafts += drafts
        receivedBatches[batch.number]?.waiting += 1
        world.tell("\(name) stages \(drafts.count) changes")
        world.marks[.staged] += 1
        enter(.stage(drafts, BatchIdentifier(value: batch.number)))
    }

    /// A program learns that the node does not have its batch.
    private func beginAgain(_ place: Int, because refusal: OpenBatches<ReceivedBatch>.Refusal) {
        let batch = sentBatches.remove(at: place)
        world.tell("\(name) refuses a batch of \(batch.sent.count) changes: \(refusal)")
        if batch.run != run { world.marks[.batchesLost] += 1 }
    }

    /// Gives up a batch, of which nobody will see anything.
    private func discard(_ place: Int) {
        let batch = sentBatches.remove(at: place)
        world.tell("\(name) discards a batch of \(batch.sent.count) changes")
        discardReceived(batch.number)
    }

    private func discardReceived(_ number: UInt64) {
        guard let batch = receivedBatches[number] else { return }
        receivedBatches[number] = nil
        enter(.discard(batch.identifier))
    }

    /// Ends a batch; returns false if the node refuses that.
    private func end(_ place: Int, _ draw: (ClosedRange<Int>) -> Int) -> Bool {
        let sent = sentBatches[place]
        let batch: ReceivedBatch
        do throws(OpenBatches<ReceivedBatch>.Refusal) {
            let (received, refusal) = try receivedBatches.end(
                sent.number, of: sent.job, count: sent.sent.count)
            if let refusal {
                enter(.discard(received.identifier))
                throw refusal
            }
            batch = received
        } catch {
            beginAgain(place, because: error)
            return false
        }
        sentBatches.remove(at: place)
        let state = draw(0...99) < 70 ? state(sent.position, of: sent.job) : nil
        let condition: IndexCondition?
        // Some batches end only if the state is still the one with which they began, or a state that never is.
        switch draw(0...9) {
        case 0, 1:
            let expected = ask { (store) throws(StoreFailure) in try store.shownState(of: sent.job) }
            condition = IndexCondition(
                state: IndexCondition.ExpectedState(sent.job, is: expected?.state.state))
        case 2:
            condition = IndexCondition(
                state: IndexCondition.ExpectedState(sent.job, is: [1, 2, 3, 4, 5]))
        default: condition = quota(of: sent.job.app, for: batch.drafts)
        }
        world.tell("\(name) ends a batch of \(batch.drafts.count) changes")
        world.marks[.stagedBatches] += 1
        var own = Work.OwnWrite(isBatch: true, seen: known) { [self] in considerClock(behind: $0) }
        own.staged = batch.drafts
        var named: Dot?
        // Another transaction may get the name of a batch that was not stored.
        own.failed = { [world] _ in if let named { world.sentBatches[named] = nil } }
        let isWithinLimits = write(own) { [world] journal in
            var transaction = journal.ending(
                batch.identifier, count: batch.drafts.count, with: state, now: wallTime)
            transaction?.condition = condition
            named = transaction?.batch?.first
            if let named { world.sentBatches[named] = Set(sent.sent.map(\.key.identity)) }
            return transaction
        }
        if !isWithinLimits {
            world.violate(.bounds, "\(name) refuses the end of a batch that is within limits")
        }
        return isWithinLimits
    }

    /// Stages a batch piece by piece, and ends it.
    func stageWhole(_ pieces: [[Journal.Draft]], for job: ClientStateName) {
        guard isUp, !pieces.isEmpty else { return }
        batchCount += 1
        let identifier = BatchIdentifier(value: batchCount)
        world.tell("\(name) stages and ends a batch of \(pieces.count) pieces")
        for piece in pieces { enter(.stage(piece, identifier)) }
        let drafts = pieces.flatMap(\.self)
        var own = Work.OwnWrite(isBatch: true, seen: known) { _ in }
        own.staged = drafts
        let isWithinLimits = write(own) { journal in
            journal.ending(identifier, count: drafts.count, with: nil, now: wallTime)
        }
        if !isWithinLimits {
            world.violate(.bounds, "\(name) refuses the end of a batch that is within limits")
        }
    }

    /// Returns the condition of an app's quota, now and then about as large as its usage with these drafts.
    ///
    /// A batch that writes an item twice, or makes room, is counted in different ways.
    func quota(of app: String, for drafts: [Journal.Draft]) -> IndexCondition? {
        guard world.streams["quota"].chance(25),
            drafts.allSatisfy({ $0.key.kind == .item && $0.isFull }),
            Set(drafts.map(\.key.identity)).count == drafts.count
        else { return nil }
        let items = itemCount(of: app) + world.streams["quota"].number(-2...4)
        return IndexCondition(quota: Quota(app: app, items: max(0, items), bytes: .max))
    }

    /// Returns the number of stored items of an app.
    private func itemCount(of app: String) -> Int {
        contents.allRecords.count { $0.isItem(of: app) }
    }

    /// Returns whether an app has room for a transaction with those staged drafts.
    func hasRoom(
        _ quota: Quota, for transaction: StoreTransaction, _ staged: [Journal.Draft]
    ) -> Bool {
        let written =
            transaction.writes.filter { $0.identity.kind == .item && $0.isFull }.map(\.identity)
            + staged.map(\.key.identity)
        let new = written.count { contents.record($0)?.content == nil }
        return new == 0 || itemCount(of: quota.app) + new <= quota.items
    }

    /// The disk stored a piece of a batch.
    func noteStaged(in identifier: BatchIdentifier) { receivedBatches[identifier.value]?.waiting -= 1 }

    /// The disk refused a piece of a batch, which can't end then.
    func abandon(_ identifier: BatchIdentifier) {
        discardReceived(identifier.value)
    }
}

extension Record {
    /// Whether it is a present item of an app.
    fileprivate func isItem(of app: String) -> Bool {
        identity.kind == .item && content?.scope.isWithin(.app(app)) ?? false
    }
}

extension StagedBatch {
    /// Returns the writes that the drafts of the batch become.
    func writes(of drafts: [Journal.Draft]) -> [Write] {
        drafts.enumerated().compactMap { place, draft in
            let (dot, stamp) = name(at: place)
            return draft.write(dot, at: stamp)
        }
    }
}

extension [SimulatedNode.SentBatch] {
    /// Returns the index of a random element, or nil if there is none.
    fileprivate func randomPlace(_ draw: (ClosedRange<Int>) -> Int) -> Int? {
        isEmpty ? nil : draw(0...count - 1)
    }
}
