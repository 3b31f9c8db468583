import BatonCore
import Support

/// Promise 3: what someone who saw it deleted or cleared is not seen again, wherever that is known.
final class NoResurrection: Checker {
    private var deletions: [RecordIdentity: [Ledger.Entry]] = [:]
    private var clears: [(entry: Ledger.Entry, scope: Scope)] = []

    func noteWritten(_ entry: Ledger.Entry, at node: SimulatedNode, _ world: World) {
        let write = entry.write
        // Who adopts a write says nothing of its own.
        guard !write.isAdopted else { return }
        if write.action == .deletion {
            deletions[write.identity, default: []].append(entry)
        } else if write.identity.kind.isClear, let clear = Record(write).clear {
            clears.append((entry, clear.scope))
        }
    }

    /// On the way: where the deletion is claimed, what it deleted is not there.
    func noteCommit(at node: SimulatedNode, _ world: World) {
        guard world.streams["checks"].chance(10) else { return }
        let complete = node.contents.complete
        judge(node, world) { complete.covers($0.dot) }
    }

    func judge(_ node: SimulatedNode, _ world: World, _ truth: Truth) {
        let complete = node.contents.complete
        judge(node, world) { complete.covers($0.dot) }
    }

    /// In the end it is known everywhere, unless it was lost.
    func judgeAtRest(_ world: World, _ truth: Truth) {
        for node in world.honest {
            judge(node, world) { world.ledger[$0.dot].map { $0.isKept && !$0.isLost } ?? false }
        }
    }

    /// Whether who wrote it was told that it does not count.
    private func isOutranked(_ write: Write, _ world: World) -> Bool {
        world.ledger[write.dot]?.isOutranked ?? false
    }

    private func judge(_ node: SimulatedNode, _ world: World, where isKnown: (Write) -> Bool) {
        guard !deletions.isEmpty || !clears.isEmpty else { return }
        for record in node.contents.allRecords where record.isThere && !record.identity.kind.isPermanent {
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
                    guard let origin = shown.origins.first(where: { entry.seen.covers($0) }) else { continue }
                    // Who deletes writes later than what it saw, unless times have run out.
                    world.violate(
                        .noResurrection,
                        about: Violation.Subject([shown.write, entry.write], dots: shown.origins, at: node),
                        "\(node.name) shows \(shown.write.told(in: world))"
                            + (origin == shown.write.dot ? "" : ", once \(origin.told(in: world))")
                            + ", which \(world.name(of: entry.author)) deleted by \(entry.write.told(in: world))"
                    )
                }
            }
        }
    }
}

/// Something that is there, and what it was before it was written anew.
private struct Shown {
    let write: Write
    let scope: Scope
    /// Its dot, and those of what it took the place of.
    let origins: [Dot]
}

extension Record {
    /// What makes that this record is there: what opened it, and its counters.
    fileprivate func shown(in ledger: Ledger) -> [Shown] {
        survivingWrites.compactMap { write in
            switch write.action {
            case .full(let content):
                var origins = [write.dot]
                while let last = origins.last, let earlier = ledger[last]?.renews, origins.count < 100 {
                    origins.append(earlier)
                }
                // Whatever it looks like now, it is what that write began.
                guard let opening = ledger.opening(of: identity, at: incarnation), opening.dot != write.dot,
                    case .full(let first) = opening.action
                else { return Shown(write: write, scope: content.scope, origins: origins) }
                return Shown(write: write, scope: first.scope, origins: origins + [opening.dot])
            case .count(_, let content):
                return Shown(write: write, scope: content.scope, origins: [write.dot])
            case .deletion, .partial: return nil
            }
        }
    }
}
