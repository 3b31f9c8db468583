import BatonCore
import Support

/// Promise 6, measured while nodes that are in step meet again: they send their first messages, and the changes since.
///
/// Two nodes are not in step if one holds writes that nobody claims because their author is gone.
final class CostOfMeeting {
    /// The dots of the changes since.
    var changed: Set<Dot> = []
    private var frames: [FrameKind: Int] = [:]
    private var writes: [Write] = []
    private let links: Int
    /// Whether wall clocks showed different days as the nodes began to meet.
    private let daysDiffered: Bool

    init(in world: World) { (links, daysDiffered) = (world.links.count, world.daysDiffer) }

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
        // In a ring or a full mesh a write may come from several sides before a node can report that it has it.
        if writes.count > changed.count * links * 2 {
            world.violate(
                .costFollowsChange,
                "\(writes.count) writes cross \(links) links when \(changed.count) changed")
        }
        let hellos = frames[.hello] ?? 0
        // Nodes whose wall clocks show different days compare with one message of each side. A day may begin meanwhile.
        if daysDiffered || world.daysDiffer, (frames[.check] ?? 0) <= 2 * links {
            frames[.check] = nil
        }
        // Several machines of one identity each have their own order of arrival. A peer that last met another of them
        // reads from the beginning, and is sent a batch without a write that says where to resume. Then both compare.
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
    /// The frame's message, or nil if it can't be read.
    var message: PeerMessage? {
        do throws(CloseReason) { return try PeerMessage(self) } catch { return nil }
    }
}

extension World {
    /// Whether the wall clocks of the devices show different days.
    fileprivate var daysDiffer: Bool { Set(honest.map(\.wallTime.compared)).count > 1 }

    /// Whether one of the changes may leave tombstones of unchanged writes.
    fileprivate func hasClears(of changed: Set<Dot>) -> Bool {
        changed.contains { ledger[$0]?.write.identity.kind.isClear ?? false }
    }
}
