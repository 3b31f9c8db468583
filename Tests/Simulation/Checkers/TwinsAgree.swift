import BatonCore
import Support

/// Promise 7, where it can't be kept: of machines that were cloned while they ran each goes on in a life of its own, all
/// nodes see the same in the end, and what either of them acknowledged is in it, or was deleted.
///
/// That a trace reaches all is not promised: as long as nobody has noticed, what one of the two told may be taken for
/// told by the other, and traces do not count in the digest by which nodes find what they lack.
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
        // Twins may give two writes of one key the same stamp. Where a clear ended one of them and not the other,
        // because they are in different scopes, either may stand (*Equal stamps* in the protocol): it was deleted all
        // the same.
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
    }
}
