import BatonCore
import Support

/// A faulty or hostile member that writes with times that no clock shows.
extension World {
    /// Returns whether no clock here shows that time, so that only a strange member writes with it.
    static func isStrange(_ time: HybridTime) -> Bool {
        time.value > HybridTime.largestFollowed.value - 1 << 30
    }

    /// Returns another strange time: one that no clock follows, or one that clocks follow in small steps.
    private func strangeTime() -> HybridTime {
        // No two writes have the same stamp.
        let number = UInt64(marks[.strangeTimes])
        let followed = HybridTime.largestFollowed.value
        return HybridTime(
            value: streams[Fault.strangeTime.rawValue].pick([
                HybridTime.largest.value - number, followed + 1 + number, followed - number,
            ]))
    }

    /// Writes over some device's activity, or over a record that anyone may write.
    func writeStrangely() {
        guard let node = victim(of: .strangeTime) else { return }
        let concern = Fault.strangeTime.rawValue
        let draft: Journal.Draft
        if profile.hasApps, streams[concern].chance(60) {
            let other = streams[concern].pick(honest)
            let first = ActivityName(
                device: other.identity.device, app: SimulatedApps.app,
                instance: "\(streams[concern].number(1...2))")
            let name = other.apps?.machine.present(first) ?? first
            freshness?.noteStrike(on: name)
            let planted = Activity(type: "org.acting.planted", started: node.wallTime)
            draft = Journal.Draft(streams[concern].chance(50) ? .deletion : .full(planted.content), name.key)
        } else {
            let key = streams[concern].key(.index, of: profile.keys)
            let content = Write.Content(scope: streams[concern].scope(), fields: Fields())
            draft = Journal.Draft(streams[concern].chance(50) ? .deletion : .full(content), key)
        }
        marks[.strangeTimes] += 1
        node.write(draft, at: strangeTime())
    }
}

extension SimulatedNode {
    /// Writes with a time that no clock here gave.
    fileprivate func write(_ draft: Journal.Draft, at time: HybridTime) {
        guard isUp else { return }
        write(Work.OwnWrite(isBatch: false, seen: known) { _ in }) { journal in
            guard var transaction = journal.transaction(draft.key.kind.lane, [draft], now: wallTime) else {
                return nil
            }
            transaction.writes = transaction.writes.map {
                Write(
                    dot: $0.dot, key: draft.key, stamp: Stamp(time: time, life: $0.stamp.life),
                    action: $0.action)
            }
            world.tell("\(name) writes strangely \(transaction.writes.map { $0.told(in: world) })")
            return transaction
        }
    }
}
