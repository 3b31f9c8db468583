import BatonCore
import Support

/// App batches that are too large for one transaction: they are staged piece by piece, and end at once or never.
extension SimulatedNode {
    /// A batch that an app has begun and not ended, and its staged changes.
    struct OpenBatch {
        let identifier: BatchIdentifier
        let job: ClientStateName
        var position: Int
        var drafts: [Journal.Draft] = []
        /// The number of pieces that the disk has yet to store.
        var waiting = 0
    }

    private static let stream = "stage"

    /// An app continues a batch: it begins one, stages more, ends it, or gives it up.
    func stage(_ job: ClientStateName) {
        guard isUp else { return }
        let draw = { (range: ClosedRange<Int>) in self.world.streams[Self.stream].number(range) }
        guard let batch = openBatches.randomPlace(draw), draw(0...99) < 80 else { return beginBatch(of: job) }
        switch draw(0...9) {
        case 0: discard(batch)
        case 1...4 where !openBatches[batch].drafts.isEmpty && openBatches[batch].waiting == 0:
            end(batch, draw)
        default: stageMore(of: batch, draw)
        }
    }

    private func beginBatch(of job: ClientStateName) {
        guard openBatches.count < 3 else { return }
        batchCount += 1
        openBatches.append(
            OpenBatch(
                identifier: BatchIdentifier(value: batchCount), job: job,
                position: show(job).map(Self.position) ?? 0))
    }

    private func stageMore(of place: Int, _ draw: (ClosedRange<Int>) -> Int) {
        let job = openBatches[place].job
        let drafts = indexDrafts(of: job, from: &openBatches[place].position, draw)
        openBatches[place].drafts += drafts
        openBatches[place].waiting += 1
        world.tell("\(name) stages \(drafts.count) changes")
        world.marks[.staged] += 1
        enter(.stage(drafts, openBatches[place].identifier))
    }

    /// Gives up a batch, of which nobody will see anything.
    private func discard(_ place: Int) {
        let batch = openBatches.remove(at: place)
        world.tell("\(name) discards a batch of \(batch.drafts.count) changes")
        enter(.discard(batch.identifier))
    }

    private func end(_ place: Int, _ draw: (ClosedRange<Int>) -> Int) {
        let batch = openBatches.remove(at: place)
        let state = draw(0...99) < 70 ? state(batch.position, of: batch.job) : nil
        let condition: IndexCondition?
        // Some batches end only if the state is still the one with which they began, or a state that never is.
        switch draw(0...9) {
        case 0, 1:
            let expected = ask { (store) throws(StoreFailure) in try store.shownState(of: batch.job) }
            condition = IndexCondition(
                state: IndexCondition.ExpectedState(batch.job, is: expected?.state.state))
        case 2:
            condition = IndexCondition(
                state: IndexCondition.ExpectedState(batch.job, is: [1, 2, 3, 4, 5]))
        default: condition = quota(of: batch.job.app, for: batch.drafts)
        }
        world.tell("\(name) ends a batch of \(batch.drafts.count) changes")
        world.marks[.stagedBatches] += 1
        var own = Work.OwnWrite(isBatch: true, seen: known) { _ in }
        own.staged = batch.drafts
        let isWithinLimits = write(own) { journal in
            var transaction = journal.ending(
                batch.identifier, count: batch.drafts.count, with: state, now: wallTime)
            transaction?.condition = condition
            return transaction
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
    func noteStaged(in identifier: BatchIdentifier) {
        guard let place = openBatches.firstIndex(where: { $0.identifier == identifier }) else { return }
        openBatches[place].waiting -= 1
    }

    /// The disk refused a piece of a batch, which its app then gives up.
    func abandon(_ identifier: BatchIdentifier) {
        guard let place = openBatches.firstIndex(where: { $0.identifier == identifier }) else { return }
        discard(place)
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

extension [SimulatedNode.OpenBatch] {
    /// Returns the index of a random element, or nil if there is none.
    fileprivate func randomPlace(_ draw: (ClosedRange<Int>) -> Int) -> Int? {
        isEmpty ? nil : draw(0...count - 1)
    }
}
