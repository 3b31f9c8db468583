import BatonCore
import Support

/// Promise 8, while a device is private or hand-off is off: nothing of its activities crosses any wire.
final class HeldStays: Checker {
    func noteSent(_ message: PeerMessage, from endpoint: Endpoint, _ world: World) {
        guard case .batch(let batch) = message else { return }
        let node = endpoint.node
        if node.holdsIndex, batch.lane == .index, let write = batch.writes.first {
            world.violate(
                .strangersStayOut, about: Violation.Subject([write], at: node),
                "\(node.name) keeps its index to itself, and sends \(write.told(in: world))")
        }
        // Writes of another machine with the same identity may leave this one.
        // The answer that the person got counts, whatever the process knows of it.
        guard let hidden = node.apps.flatMap({ $0.said ?? $0.hidden }),
            !(world.freshness?.isCloned(node.identity.device, world) ?? false)
        else { return }
        for write in batch.writes where write.stamp.time > hidden && node.lives.contains(write.stamp.life) {
            guard let activity = Record(write).activity, activity.name.device == node.identity.device else {
                continue
            }
            world.violate(
                .strangersStayOut, about: Violation.Subject([write], at: node),
                "\(node.name) withholds what apps do, and sends it: \(write.told(in: world))")
        }
    }
}
