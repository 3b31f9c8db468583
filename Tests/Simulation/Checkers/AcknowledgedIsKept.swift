import BatonCore
import Support

/// Promise 1: an acknowledged write that no permitted loss took is reflected everywhere in the end.
///
/// A write that a loss took from its last holder is forgiven only then: a write that reached another device stays. A
/// write that reached another device only in part, because its author had overwritten the rest, and that nobody claims,
/// counts as lost.
final class AcknowledgedIsKept: Checker {
    func noteLoss(at node: SimulatedNode, _ world: World) {
        let places = world.nodes.map { node in
            (
                node.contents.complete,
                Dictionary(
                    node.contents.survivingWrites.map { ($0.dot, $0) }, uniquingKeysWith: { one, _ in one })
            )
        }
        let count = world.ledger.forget { write in
            places.contains { complete, held in
                complete.covers(write.dot)
                    || held[write.dot].map { $0 == write || $0.isOpening } ?? false
            }
        }
        if count > 0 { world.tell("\(count) acknowledged writes are nowhere any more") }
        world.marks[.forgotten] += count
    }

    /// Checks that every claimed write that the rules show is stored.
    func judge(_ node: SimulatedNode, _ world: World, _ truth: Truth) {
        let complete = node.contents.complete
        for entry in world.ledger.entries where entry.isAcknowledged && !entry.isLost {
            let write = entry.write
            guard complete.covers(write.dot), truth.model.visible[write.identity] != nil,
                truth.model.shows(write)
            else { continue }
            // A device that adopts a write gives it another dot.
            let standing = node.contents.record(write.identity)?.survivingWrites ?? []
            guard !standing.contains(where: { $0.stamp == write.stamp }) else { continue }
            world.violate(
                .acknowledgedIsKept, about: Violation.Subject([write], at: node),
                "\(write.told(in: world)), which \(world.name(of: entry.author)) acknowledged, is claimed at \(node.name) and not there"
            )
        }
    }

    func judgeAtRest(_ world: World, _ truth: Truth) {
        let promised = world.ledger.entries.filter { $0.isAcknowledged && !$0.isLost }
        for node in world.honest {
            for entry in node.unreflected(promised) {
                // A write or clear that was garbage-collected since may have deleted it.
                let isKnown = truth.model.shows(entry.write)
                guard isKnown || truth.shows(also: entry.write) else { continue }
                world.violate(
                    .acknowledgedIsKept, about: Violation.Subject([entry.write], at: node),
                    "\(entry.write.told(in: world)), which \(world.name(of: entry.author)) acknowledged, is lost at \(node.name)"
                )
            }
        }
    }
}
