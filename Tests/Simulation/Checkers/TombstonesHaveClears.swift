import BatonCore
import Support

/// Promises 1 and 2: wherever the tombstone stands that a clear left of a write, the clear is known, or was
/// garbage-collected.
///
/// A tombstone that travels without its clear is a deletion that nobody made, once the clear is lost with its author's
/// power: it ends the write on every device that it reaches, except where the write is claimed already.
final class TombstonesHaveClears: Checker {
    func judgeAtRest(_ world: World, _ truth: Truth) {
        for node in world.honest {
            for tombstone in node.contents.survivingWrites where tombstone.action == .deletion {
                // A deletion has a stamp of its own; the tombstone that a clear leaves has the stamp of the write that
                // it ended.
                guard let write = world.ledger.opening(of: tombstone.identity, at: tombstone.stamp),
                    tombstone.isAdopted || tombstone.dot == write.dot, !truth.clears.cover(write),
                    !world.swept.contains(tombstone.identity, tombstone.stamp),
                    !truth.dropped.covers(tombstone.dot)
                else { continue }
                let isPromised = world.ledger[write.dot].map { $0.isAcknowledged && !$0.isLost } ?? false
                world.violate(
                    isPromised ? .acknowledgedIsKept : .convergence,
                    about: Violation.Subject([tombstone, write], at: node),
                    "\(node.name) holds \(tombstone.told(in: world)), and nobody has or collected a clear of it"
                )
            }
        }
    }
}
