import BatonCore
import Support

/// Clocks that are set back right behind a batch, on the device where an app ended it or on another one, where a person
/// or an app then deletes, changes or clears what the batch wrote.
extension SimulatedNode {
    private static let stream = Fault.clockBehindBatch.rawValue

    /// An app was told that its batch is stored, with these writes.
    func considerClock(behind batch: [Write]) {
        let items = batch.filter { $0.identity.kind == .item && $0.isFull }
        guard !items.isEmpty, world.happens(.clockBehindBatch) else { return }
        let others = world.honest.filter { $0 !== self && $0.isUp }
        let isElsewhere = !others.isEmpty && world.streams[Self.stream].chance(50)
        let node = isElsewhere ? world.streams[Self.stream].pick(others) : self
        // The process is in the middle of a step.
        world.enter(at: world.now) { node.setClockBack(behind: items) }
    }

    private func setClockBack(behind items: [Write]) {
        guard isUp, !world.isHealed else { return }
        let time = Duration.milliseconds(world.streams[Self.stream].number(1...600_000))
        world.tell("the clock of \(name) is set back by \(time), behind a batch")
        world.marks[.clocksBehindBatches] += 1
        clock.offset -= time
        world.later(.clockBehindBatch, 1...30) { [self] in clock.offset += time }
        // The next process knows of the batch's times only what was stored.
        if world.streams[Self.stream].chance(40) {
            crash()
            start()
        }
        act(behind: items, tries: 10)
    }

    /// Deletes, changes or clears what a batch wrote, as soon as this device has some of it.
    private func act(behind items: [Write], tries: Int) {
        let there = isUp ? items.filter { known.covers($0.dot) } : []
        guard !there.isEmpty else {
            guard tries > 0 else { return }
            return world.later(.clockBehindBatch, 1...1) { [self] in act(behind: items, tries: tries - 1) }
        }
        let item = world.streams[Self.stream].pick(there)
        guard let key = item.key, case .full(let content) = item.action else { return }
        switch world.streams[Self.stream].number(0...3) {
        case 0:
            let clear = content.scope.clearKey(in: .index)
            write(.index, [Journal.Draft(.full(Write.Content(fields: Fields())), clear)])
        case 1 where contents.record(item.identity)?.incarnation == item.stamp:
            var fields = Fields()
            fields.set(UInt64(world.streams[Self.stream].number(1...5))) { $0.unsigned(1) }
            write(.index, [Journal.Draft(.partial(of: item.stamp, fields), key)])
        default: write(.index, there.compactMap(\.key).map { Journal.Draft(.deletion, $0) })
        }
    }
}
