import BatonCore

/// Promise 3, as a write is named: who writes something in full or deletes it is later than all that it has seen of it.
final class LastWordWins: Checker {
    /// The full writes and deletions of each record, in the order of writing.
    private var openings: [RecordIdentity: [Write]] = [:]

    func noteWritten(_ entry: Ledger.Entry, at node: SimulatedNode, _ world: World) {
        let write = entry.write
        // Clocks do not follow times that no clock shows; who adopts a write says nothing of its own.
        guard write.isOpening, !write.isAdopted, !write.identity.kind.isPermanent,
            world.profile[.strangeTime] == 0
        else { return }
        let later = (openings[write.identity] ?? []).first {
            $0.stamp > write.stamp && entry.seen.covers($0.dot)
        }
        openings[write.identity, default: []].append(write)
        guard let later else { return }
        world.violate(
            .noResurrection, about: Violation.Subject([write, later], at: node),
            "\(node.name) writes \(write.told(in: world)), and had seen the later \(later.told(in: world))")
    }
}
