import BatonCore

/// Promise 3, as a write is named: a write is later than everything that its writer has seen of what it ends, replaces
/// or changes, and later than what was garbage-collected of it, which may stand on other devices.
final class LastWordWins: Checker {
    /// The full writes and deletions of each record, in the order of writing.
    private var openings: [RecordIdentity: [Write]] = [:]

    func noteWritten(_ entry: Ledger.Entry, at node: SimulatedNode, _ world: World) {
        let write = entry.write
        // Clocks do not follow times that no clock shows; a device that adopts a write adds nothing of its own.
        guard !write.isAdopted, world.profile[.strangeTime] == 0 else { return }
        if let later = laterThan(write, seenWith: entry.seen) {
            world.violate(
                .noResurrection, about: Violation.Subject([write, later], at: node),
                "\(node.name) writes \(write.told(in: world)), and had seen the later \(later.told(in: world))"
            )
        } else if case .partial(let base, _) = write.action, write.stamp < base,
            hasSeen(base, of: write.identity, with: entry.seen)
        {
            world.violate(
                .noResurrection, about: Violation.Subject([write], at: node),
                "\(node.name) writes \(write.told(in: world)), which is earlier than what it changes")
        }
        guard write.isOpening, !write.identity.kind.isPermanent else { return }
        openings[write.identity, default: []].append(write)
    }

    /// Returns whether a writer had seen the write that began an incarnation.
    private func hasSeen(
        _ incarnation: Stamp, of identity: RecordIdentity, with seen: VersionVector
    ) -> Bool {
        (openings[identity] ?? []).contains { $0.stamp == incarnation && seen.covers($0.dot) }
    }

    /// Returns a later write that the writer had seen of what a full write, a deletion or a clear replaces or ends.
    ///
    /// A writer may claim a write without having seen it, from a device that held something later in its place: if the
    /// writer can't read that, it claims only what was replaced.
    private func laterThan(_ write: Write, seenWith seen: VersionVector) -> Write? {
        let isLater = { (other: Write) in
            other.stamp > write.stamp && seen.covers(other.dot)
                && !self.isReplaced(other, unseenWith: seen)
        }
        if let clear = Record(write).clear, !clear.scope.isEmpty {
            let lane = write.identity.kind.lane
            return openings.values.lazy.joined().filter { other in
                guard other.identity.kind.lane == lane, case .full(let content) = other.action else {
                    return false
                }
                return content.scope.isWithin(clear.scope) && isLater(other)
            }.min { $0.dot < $1.dot }
        }
        guard write.isOpening, !write.identity.kind.isPermanent else { return nil }
        return (openings[write.identity] ?? []).first(where: isLater)
    }

    /// Returns whether something that a writer had not seen replaces a write or deletes it.
    private func isReplaced(_ write: Write, unseenWith seen: VersionVector) -> Bool {
        (openings[write.identity] ?? []).contains { $0.stamp > write.stamp && !seen.covers($0.dot) }
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
