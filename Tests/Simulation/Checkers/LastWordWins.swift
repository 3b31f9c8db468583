import BatonCore

/// Promise 3, as a write is named: a full write or deletion is later than everything that its writer has seen of the
/// record, and later than what was garbage-collected of it, which may stand on other devices.
final class LastWordWins: Checker {
    /// The full writes and deletions of each record, in the order of writing.
    private var openings: [RecordIdentity: [Write]] = [:]

    func noteWritten(_ entry: Ledger.Entry, at node: SimulatedNode, _ world: World) {
        let write = entry.write
        // Clocks do not follow times that no clock shows; a device that adopts a write adds nothing of its own.
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

    func noteCommit(at node: SimulatedNode, _ world: World) {
        guard world.profile[.strangeTime] == 0 else { return }
        let contents = node.contents
        let clock = contents.clock
        for lane in Lane.allCases where contents.horizon(of: lane) > clock {
            world.violate(
                .noResurrection, about: Violation.Subject(at: node),
                "\(node.name) may write at \(clock), earlier than what was garbage-collected of \(lane) there"
            )
        }
    }
}
