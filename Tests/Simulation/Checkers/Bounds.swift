import BatonCore
import Support

/// Promise 9: the bytes that wait for a slow reader stay within the window, and the knowledge of others within what
/// exists.
final class Bounds: Checker {
    /// The size of a batch of each lane that was read before the window was full, and of small messages.
    private static let besideWindow = Lane.allCases.count * Limits.frameBytes + (64 << 10)

    func noteWaiting(_ endpoint: Endpoint, _ world: World) {
        let count = endpoint.outgoing.count
        if count >= world.limits.sentIndexBytes { world.marks[.fullWindows] += 1 }
        if count > world.limits.sentBytes + Self.besideWindow {
            world.violate(.bounds, "\(count) bytes wait at \(endpoint.node.name) for \(endpoint.peer.name)")
        }
    }

    func judgeAtRest(_ world: World, _ truth: Truth) {
        let lives = (world.nodes + world.gone).reduce(0) { $0 + $1.lives.count }
        for node in world.honest {
            let (summary, held) = (node.contents, node.contents.survivingWrites.count)
            if summary.complete.count > Lane.allCases.count * lives {
                world.violate(
                    .bounds, "\(node.name) claims \(summary.complete.count) origins of \(lives) lives")
            }
            if held > world.ledger.entries.count {
                world.violate(.bounds, "\(node.name) holds \(held) writes of \(world.ledger.entries.count)")
            }
            if !node.work.isEmpty {
                world.violate(.bounds, "\(node.work.count) things wait for the disk of \(node.name) at rest")
            }
        }
    }
}
