import BatonCore
import Support

/// Promise 8, while a device is private or hand-off is off: nothing of its activities crosses any wire, whatever was on
/// the way when the person withheld it; and no answer brings an activity that has expired.
final class HeldStays: Checker {
    func noteSent(_ message: PeerMessage, from endpoint: Endpoint, _ world: World) {
        switch message {
        case .batch(let batch): judge(batch, from: endpoint.node, world)
        case .continueAnswer(let answer): judge(answer, from: endpoint.node, world)
        default: break
        }
    }

    private func judge(_ batch: Batch, from node: SimulatedNode, _ world: World) {
        if node.holdsIndex, batch.lane == .index, let write = batch.writes.first {
            world.violate(
                .strangersStayOut, about: Violation.Subject([write], at: node),
                "\(node.name) keeps its index to itself, and sends \(write.told(in: world))")
        }
        guard let hidden = hidden(at: node, world) else { return }
        for write in batch.writes where node.lives.contains(write.stamp.life) {
            guard isWithheld(write, since: hidden, at: node, world) else { continue }
            world.violate(
                .strangersStayOut, about: Violation.Subject([write], at: node),
                "\(node.name) withholds what apps do, and sends it: \(write.told(in: world))")
        }
    }

    /// Returns the time from which a node withholds what its apps do; nil if it shares that.
    ///
    /// The answer that the person got counts, whatever the process knows of it.
    private func hidden(at node: SimulatedNode, _ world: World) -> HybridTime? {
        // Writes of another machine with the same identity may leave this one.
        guard !(world.freshness?.isCloned(node.identity.device, world) ?? false) else { return nil }
        return node.apps.flatMap { $0.said ?? $0.hidden }
    }

    /// Returns whether a write of this device is not to leave it.
    ///
    /// A current activity is withdrawn, whenever it was written; what was saved of an ended one before stays shared.
    private func isWithheld(
        _ write: Write, since hidden: HybridTime, at node: SimulatedNode, _ world: World
    ) -> Bool {
        let record = Record(write)
        if let activity = record.activity { return activity.name.device == node.identity.device }
        guard let saved = record.savedActivity, world.ledger[write.dot]?.renews == nil else { return false }
        return saved.origin?.device == node.identity.device && write.stamp.time > hidden
    }

    private func judge(_ answer: ContinueAnswer, from node: SimulatedNode, _ world: World) {
        guard case .fields(let fields, _) = answer.outcome else { return }
        if hidden(at: node, world) != nil {
            world.violate(
                .strangersStayOut, about: Violation.Subject(at: node),
                "\(node.name) withholds what apps do, and hands an activity over")
        }
        do throws(CBORError) {
            guard try Activity(fields).isExpired(at: node.wallTime) else { return }
            world.violate(
                .freshestPayload, about: Violation.Subject(at: node),
                "\(node.name) hands an activity over, whose time is over")
        } catch {
            world.violate(
                .freshestPayload, about: Violation.Subject(at: node),
                "\(node.name) hands over what can't be read: \(error)")
        }
    }
}
