import BatonCore

extension World {
    /// What must be true of a node at any time: its claims.
    func check(_ node: SimulatedNode) {
        guard generator.chance(10) else { return }
        judgeClaims(of: node)
    }

    /// What must be true once all is quiet.
    func judge() {
        let gone = nodes.reduce(into: VersionVector()) { $0.join($1.store.summary().dropped) }
        let first = (
            records: nodes[0].store.records(without: gone), complete: nodes[0].store.summary().complete
        )
        let truth = truth(within: first.complete)
        for node in nodes {
            if node.store.summary().complete != first.complete {
                violate("\(node.name) and \(nodes[0].name) claim different things")
            }
            if node.store.records(without: gone) != first.records {
                let mine = node.store.records(without: gone)
                violate(
                    "\(node.name) and \(nodes[0].name) hold different records: \(mine.filter { !first.records.contains($0) }), \(first.records.filter { !mine.contains($0) })"
                )
            }
            if node.store.digest(at: .past) != nodes[0].store.digest(at: .past) {
                violate("\(node.name) and \(nodes[0].name) have different digests")
            }
            for endpoint in node.endpoints where !endpoint.session.isInStep {
                violate("\(node.name) does not know that it is in step with \(endpoint.peer.name)")
            }
            judgeWrites(of: node, truth)
            judgeClaims(of: node)
        }
    }

    /// Everything that was written and is claimed must amount to what the node has: nothing is lost, and nothing
    /// that was deleted is there again.
    private func judgeWrites(of node: SimulatedNode, _ truth: InMemoryStore) {
        // What is held and claimed by nobody, because its author is gone, is no part of the truth.
        if node.isSettled, node.store.digest(at: .past) != truth.digest(at: .past) {
            let (mine, theirs) = (node.store.allRecords.filter(\.isThere), truth.allRecords.filter(\.isThere))
            violate(
                "\(node.name) has \(mine.filter { !theirs.contains($0) }), and should have \(theirs.filter { !mine.contains($0) })"
            )
        }
        guard !node.wasRestored else { return }
        for write in node.acknowledged where !node.store.reflects(write) && truth.isAlive(write) {
            if write.isTrace, node.store.summary().dropped.covers(write.dot) { continue }
            violate("\(write), which \(node.name) acknowledged, is lost")
        }
    }

    /// What all writes that a vector covers amount to.
    private func truth(within complete: VersionVector) -> InMemoryStore {
        let truth = InMemoryStore()
        for write in ledger.all where complete.covers(write.dot) {
            _ = truth.commit(
                StoreTransaction(lane: write.dot.origin.lane, writes: [write], completing: VersionVector()))
        }
        return truth
    }

    /// Every write that a node claims is there, or was overwritten or deleted by what is or was let go.
    private func judgeClaims(of node: SimulatedNode) {
        let summary = node.store.summary()
        let missing = ledger.all.filter { summary.complete.covers($0.dot) && !node.store.reflects($0) }
        guard !missing.isEmpty else { return }
        let truth = truth(within: summary.complete)
        for write in missing where truth.isAlive(write) {
            if write.isTrace, summary.dropped.covers(write.dot) { continue }
            violate("\(node.name) claims \(write) and does not have it")
        }
    }

    /// Nothing is left of what is deleted, once all have it for good.
    func judgeTraces(of node: SimulatedNode) {
        let complete = node.store.summary().complete
        for trace in node.store.allRecords.compactMap(\.trace) where complete.covers(trace.dot) {
            violate("\(node.name) still has \(trace)")
        }
    }
}

extension Write {
    /// Whether it may be let go.
    fileprivate var isTrace: Bool { action == .deletion || identity.kind.isClear }
}

extension InMemoryStore {
    /// The records, without traces that some store let go.
    fileprivate func records(without gone: VersionVector) -> [Record] {
        allRecords.map { record in
            record.trace.map { gone.covers($0.dot) } ?? false ? record.withoutTrace : record
        }.filter { !$0.survivingWrites.isEmpty }
    }

    /// Whether something of a write stands here, other than its trace as one that was cleared.
    fileprivate func isAlive(_ write: Write) -> Bool {
        survivingWrites.contains {
            $0.isSame(as: write) && ($0.action != .deletion || write.action == .deletion)
        }
    }
}

extension WallTime {
    /// Before anything expires.
    fileprivate static let past = WallTime(milliseconds: .min)
}
