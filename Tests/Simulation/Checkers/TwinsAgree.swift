import BatonCore
import Support

/// Promise 7, where it can't be kept: of machines that were cloned while they ran, each goes on in a life of its own.
///
/// All nodes see the same in the end, and every write that either twin acknowledged is in it, or was deleted.
///
/// A tombstone need not reach all. As long as nobody has noticed the twins, a tombstone that one of them sent may be
/// taken as sent by the other, and tombstones do not count in the digest by which nodes find what they lack.
final class TwinsAgree: Checker {
    func judgeAtRest(_ world: World, _ truth: Truth) {
        guard let first = world.honest.first else { return }
        var lost = world.ledger.entries.filter(\.isAcknowledged)
        for node in world.honest {
            if node.visible != first.visible {
                let differing = Set(node.visible.keys).union(first.visible.keys).sorted()
                    .filter { node.visible[$0] != first.visible[$0] }
                world.violate(
                    .dotsAreUnique, about: Violation.Subject(records: differing, at: node),
                    "\(node.name) and \(first.name) hold different records: \(differing.map(\.told))")
            }
            lost = node.unreflected(lost)
        }
        // Twins may give two writes of one key the same stamp. If a clear ended one of them and not the other, because
        // they are in different scopes, either may stand (*Equal stamps* in the protocol): the clear deleted it all the
        // same.
        lost.removeAll { entry in
            guard entry.write.isFull else { return false }
            return world.honest.contains { node in
                node.contents.clears(of: entry.write.identity.kind.lane).remains(of: entry.write)?.action
                    == .deletion
            }
                && world.ledger.entries.contains { other in
                    other.write.identity == entry.write.identity && other.write.stamp == entry.write.stamp
                        && other.write.isFull && other.author != entry.author
                }
        }
        if let entry = lost.first {
            world.violate(
                .dotsAreUnique, about: Violation.Subject([entry.write]),
                "\(entry.write.told(in: world)), which \(world.name(of: entry.author)) acknowledged, is lost everywhere"
            )
        }
        let lives = world.honest.map(\.journal.life)
        if Set(lives).count < lives.count {
            world.violate(
                .dotsAreUnique, "two machines still write in one life: \(lives.map { $0.told(in: world) })")
        }
        // By then each has seen what the other wrote while both were running.
        for node in world.honest where !world.isOnly(node) && !node.hasNoticedTwin {
            world.violate(
                .dotsAreUnique, about: Violation.Subject(at: node),
                "\(node.name) never noticed that another machine uses its identity")
        }
    }
}
