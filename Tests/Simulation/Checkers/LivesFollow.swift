import BatonCore

/// Promise 6, over years: the first writes of a life name the lives of its device that it follows, so that no vector
/// needs to name them.
final class LivesFollow: Checker {
    func noteWritten(_ entry: Ledger.Entry, at node: SimulatedNode, _ world: World) {
        let origin = entry.write.dot.origin
        guard entry.write.dot.sequence == 1, entry.write.dot.place == 0, origin.life == node.journal.life,
            !entry.write.identity.kind.isSuccession,
            node.contents.record(Succession.key(of: origin).identity) == nil
        else { return }
        // The device may claim more since then, which the life could not know.
        let claimed = node.contents.complete
        let earlier = entry.seen.sorted.first {
            claimed[$0.origin] > 0 && $0.origin.lane == origin.lane && $0.origin.life < origin.life
                && $0.origin.life.isOfDevice(of: origin.life)
        }
        guard let earlier else { return }
        world.violate(
            .costFollowsChange, about: Violation.Subject([entry.write], at: node),
            "\(node.name) begins \(origin.life.told(in: world)) and does not say that it follows "
                + earlier.origin.life.told(in: world))
    }
}

extension RecordKind {
    fileprivate var isSuccession: Bool { [.activitiesSuccession, .indexSuccession].contains(self) }
}
