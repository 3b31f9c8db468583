import BatonCore
import Support

/// Promise 3: a record that someone saw and then deleted or cleared is not seen again, wherever the deletion is known.
final class NoResurrection: Checker {
    private var deletions: [RecordIdentity: [Ledger.Entry]] = [:]
    private var clears: [(entry: Ledger.Entry, scope: Scope)] = []

    func noteWritten(_ entry: Ledger.Entry, at node: SimulatedNode, _ world: World) {
        let write = entry.write
        // A device that adopts a write adds nothing of its own.
        guard !write.isAdopted else { return }
        if write.action == .deletion {
            deletions[write.identity, default: []].append(entry)
        } else if write.identity.kind.isClear, let clear = Record(write).clear {
            clears.append((entry, clear.scope))
        }
    }

    /// Checks at each commit: where the deletion is claimed, the deleted record is not there.
    func noteCommit(at node: SimulatedNode, _ world: World) {
        guard world.streams["checks"].chance(10) else { return }
        let complete = node.contents.complete
        judge(node, world) { complete.covers($0.dot) }
    }

    func judge(_ node: SimulatedNode, _ world: World, _ truth: Truth) {
        let complete = node.contents.complete
        judge(node, world) { complete.covers($0.dot) }
    }

    /// Checks at the end: the deletion is known everywhere, unless it was lost.
    func judgeAtRest(_ world: World, _ truth: Truth) {
        for node in world.honest {
            judge(node, world) { world.ledger[$0.dot].map { $0.isKept && !$0.isLost } ?? false }
        }
    }

    /// Returns whether the writer was told that the deletion does not count.
    private func isOutranked(_ write: Write, _ world: World) -> Bool {
        world.ledger[write.dot]?.isOutranked ?? false
    }

    private func judge(_ node: SimulatedNode, _ world: World, where isKnown: (Write) -> Bool) {
        guard !deletions.isEmpty || !clears.isEmpty else { return }
        for record in node.contents.allRecords where record.isThere && !record.identity.kind.isPermanent {
            // A write that some device can't read, and does not pass on, may have taken the place of the deletion.
            guard !world.unreadableRecords.contains(record.identity) else { continue }
            let deletions = deletions[record.identity] ?? []
            guard !deletions.isEmpty || !clears.isEmpty else { continue }
            for shown in record.shown(in: world.ledger) {
                let candidates =
                    deletions
                    + clears.filter { shown.scope.isWithin($0.scope) && !$0.scope.isEmpty }.map(\.entry)
                for entry in candidates
                where isKnown(entry.write) && !isOutranked(entry.write, world)
                    && entry.write.dot.origin.lane == record.identity.kind.lane
                {
                    guard let origin = shown.origins.first(where: { $0.isEnded(by: entry) })?.dot else {
                        continue
                    }
                    // A deletion is later than everything that its device saw, unless times have run out.
                    world.violate(
                        .noResurrection,
                        about: Violation.Subject(
                            [shown.write, entry.write], dots: shown.origins.map(\.dot), at: node),
                        "\(node.name) shows \(shown.write.told(in: world))"
                            + (origin == shown.write.dot ? "" : ", once \(origin.told(in: world))")
                            + ", which \(world.name(of: entry.author)) deleted by \(entry.write.told(in: world))"
                    )
                }
            }
        }
    }
}

/// A record that is there, and what it was before it was written anew.
private struct Shown {
    let write: Write
    let scope: Scope
    /// Its opening, and the openings that it replaced.
    let origins: [Origin]
}

/// An opening of what is shown.
private struct Origin {
    let dot: Dot
    /// The claims of the devices concerned when it was written anew; nil if it was not.
    var known: VersionVector?

    /// Whether a deletion or clear saw it, and what replaced it does not excuse that it is shown.
    ///
    /// A device may write a record anew after a snapshot of a device that was never in touch with it, while a third
    /// one deletes the record. The renewed write is later than such a deletion.
    func isEnded(by entry: Ledger.Entry) -> Bool {
        entry.seen.covers(dot) && known?.covers(entry.write.dot) != false
    }
}

extension Record {
    /// The writes that make this record present: its opening and its counters.
    fileprivate func shown(in ledger: Ledger) -> [Shown] {
        survivingWrites.compactMap { write in
            switch write.action {
            case .full(let content):
                var origins = [Origin(dot: write.dot)]
                while let last = origins.last, let earlier = ledger[last.dot]?.renews, origins.count < 100 {
                    origins.append(Origin(dot: earlier.dot, known: earlier.known))
                }
                // The opening determines the record, however it looks now.
                guard let opening = ledger.opening(of: identity, at: incarnation), opening.dot != write.dot,
                    case .full(let first) = opening.action
                else { return Shown(write: write, scope: content.scope, origins: origins) }
                return Shown(write: write, scope: first.scope, origins: origins + [Origin(dot: opening.dot)])
            case .count(_, let content):
                return Shown(write: write, scope: content.scope, origins: [Origin(dot: write.dot)])
            case .deletion, .partial: return nil
            }
        }
    }
}
