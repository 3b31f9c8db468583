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
        let complete = node.store.complete
        judge(node, world) { complete.covers($0.dot) }
    }

    /// In the end it is known everywhere, unless it was lost.
    func judgeAtRest(_ world: World, _ truth: Truth) {
        for node in world.honest { judge(node, world) { world.ledger[$0.dot].map { !$0.isLost } ?? false } }
    }

    private func judge(_ node: SimulatedNode, _ world: World, where isKnown: (Write) -> Bool) {
        for record in node.store.allRecords where record.isThere && !record.identity.kind.isPermanent {
            let deletions = deletions[record.identity] ?? []
            guard !deletions.isEmpty || !clears.isEmpty else { continue }
            guard let opening = record.survivingWrites.first(where: \.isFull),
                case .full(let content) = opening.action
            else { continue }
            var origins = [opening.dot]
            while let last = origins.last, let earlier = world.ledger[last]?.renews, origins.count < 100 {
                origins.append(earlier)
            }
            let candidates =
                deletions
                + clears.filter { content.scope.isWithin($0.scope) && !$0.scope.isEmpty }.map(\.entry)
            for entry in candidates
            where isKnown(entry.write) && entry.write.dot.origin.lane == record.identity.kind.lane {
                guard let origin = origins.first(where: { entry.seen.covers($0) }) else { continue }
                // Who deletes writes later than what it saw, unless times have run out.
                world.violate(
                    .noResurrection,
                    "\(node.name) shows \(opening.told)\(origin == opening.dot ? "" : ", once \(origin.told)"), "
                        + "which N\(entry.author) deleted by \(entry.write.told)")
            }
        }
    }
}
