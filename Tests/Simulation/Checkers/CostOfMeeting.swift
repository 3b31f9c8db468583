import BatonCore
import Support

/// Promise 6, measured while nodes that are in step meet again: they send first messages, and what changed since.
///
/// Nodes of which one holds what nobody claims, because its author is gone, are not in step.
final class CostOfMeeting {
    /// What changed since.
    var changed: Set<Dot> = []
    private var frames: [FrameKind: Int] = [:]
    private var writes: [Write] = []
    private let links: Int

    init(links: Int) { self.links = links }

    func note(_ frame: Frame) {
        frames[frame.kind, default: 0] += 1
        guard frame.kind == .batch, case .batch(let batch)? = frame.message else { return }
        writes += batch.writes
    }

    func judge(_ world: World) {
        if let write = writes.first(where: { !changed.contains($0.dot) }), !world.hasClears(of: changed) {
            world.violate(
                .costFollowsChange, about: Violation.Subject([write]),
                "nodes in step send \(write.told(in: world)), which did not change")
        }
        // In a ring and among all a write may come from several sides before a node can say that it has it.
        if writes.count > changed.count * links * 2 {
            world.violate(
                .costFollowsChange,
                "\(writes.count) writes cross \(links) links when \(changed.count) changed")
        }
        let hellos = frames[.hello] ?? 0
        // Those whose days are not the same compare by a message of each side.
        if Set(world.honest.map(\.wallTime.compared)).count > 1, (frames[.check] ?? 0) <= 2 * links {
            frames[.check] = nil
        }
        // Several machines of one identity tell of orders of arrival of their own. Who met another of them last reads
        // from the beginning, and is sent a batch without a write that says from where to go on. Then both compare.
        let hasClones = !world.honest.allSatisfy { world.isOnly($0) }
        if hasClones, writes.isEmpty, let batches = frames[.batch], batches <= 2 * links {
            if frames[.acknowledgement] == batches { frames[.acknowledgement] = nil }
            if (frames[.check] ?? 0) <= 2 * batches { frames[.check] = nil }
            frames[.batch] = nil
        }
        if changed.isEmpty, frames.count > 1 || hellos > 2 * links {
            let sent = frames.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) \($0.key)" }
            world.violate(.costFollowsChange, "nodes in step send \(sent.joined(separator: ", "))")
        }
    }
}

extension Frame {
    /// What the frame says, if it can be read.
    var message: PeerMessage? {
        do throws(CloseReason) { return try PeerMessage(self) } catch { return nil }
    }
}

extension World {
    /// Whether something of what changed may leave traces of what did not.
    fileprivate func hasClears(of changed: Set<Dot>) -> Bool {
        changed.contains { ledger[$0]?.write.identity.kind.isClear ?? false }
    }
}
