import BatonCore
import Support

/// Promise 4: where a client state is shown, all that it covers is there, or was overwritten or deleted, and its batch has
/// all that its app sent for it; a shown state does not go back unless the device lost something, and none is shown in the
/// middle of a snapshot.
final class CheckpointsFollowData: Checker {
    private var shown: [Int: [RecordIdentity: Stamp]] = [:]

    func noteLoss(at node: SimulatedNode, _ world: World) { shown[node.number] = nil }

    /// A device that takes a snapshot had lost something, and may show a state from before the loss.
    func noteKept(
        _ transaction: StoreTransaction, _ endpoint: Endpoint, at node: SimulatedNode, _ world: World
    ) {
        if transaction.range != nil { shown[node.number] = nil }
    }

    func noteCommit(at node: SimulatedNode, _ world: World) {
        let contents = node.contents
        guard !contents.dropped.restricted(to: .index).isWithin(contents.complete) else { return }
        for job in world.jobs {
            let state = node.ask { (store) throws(StoreFailure) in try store.shownState(of: job) }
            guard state != nil else { continue }
            world.violate(
                .checkpointsFollowData, about: Violation.Subject(records: [job.key.identity], at: node),
                "\(node.name) shows a state of index \(job.index) in the middle of a snapshot")
        }
    }

    func noteShown(_ state: ShownState, at node: SimulatedNode, _ world: World) {
        let (identity, job) = (state.name.key.identity, state.name)
        if let last = shown[node.number]?[identity], state.stamp < last {
            world.violate(
                .checkpointsFollowData, about: Violation.Subject(records: [job.key.identity], at: node),
                "\(node.name) shows a state of index \(job.index) from \(state.stamp.told(in: world)), and showed one from \(last.told(in: world))"
            )
        }
        shown[node.number, default: [:]][identity] = state.stamp
        demandWholeBatch(of: state, at: node, world)
        let scope = Scope.items(app: job.app, index: job.index)
        // The lives that the state names imply, through the lives that they follow, what its writer had as it wrote.
        var covers = world.ledger.lineage.expanded(state.state.covers)
        if let seen = world.ledger[state.dot]?.seen { covers.join(seen) }
        let covered = world.ledger.entries.filter { entry in
            entry.write.dot.origin.lane == .index && covers.covers(entry.write.dot)
                && entry.write.belongs(to: job, scope)
        }
        let missing = node.unreflected(covered)
        guard !missing.isEmpty else { return }
        let complete = node.contents.complete
        let model = Model(world.ledger.entries.lazy.map(\.write).filter { complete.covers($0.dot) })
        for entry in missing where model.shows(entry.write) || !complete.covers(entry.write.dot) {
            world.violate(
                .checkpointsFollowData,
                about: Violation.Subject([entry.write], records: [job.key.identity], at: node),
                "\(node.name) shows a state of index \(job.index) that covers \(entry.write.told(in: world)), which is not there"
            )
        }
    }

    /// Checks that a state ended a batch of all changes that its app had sent.
    private func demandWholeBatch(of state: ShownState, at node: SimulatedNode, _ world: World) {
        let batch = Dot(origin: state.dot.origin, sequence: state.dot.sequence)
        guard let sent = world.sentBatches[batch] else { return }
        let kept = world.ledger.entries.filter {
            $0.write.dot.origin == batch.origin && $0.write.dot.sequence == batch.sequence
        }
        let missing = sent.subtracting(kept.map(\.write.identity))
        guard !missing.isEmpty else { return }
        world.violate(
            .checkpointsFollowData,
            about: Violation.Subject(records: [state.name.key.identity], at: node),
            "\(node.name) shows a state of index \(state.name.index) whose batch lacks \(missing.count) of \(sent.count) records that its app sent"
        )
    }
}

extension Write {
    /// Whether the scope is about an item of that index, or deletes such items.
    fileprivate func belongs(to job: ClientStateName, _ scope: Scope) -> Bool {
        if identity.kind == .indexClear {
            return Record(self).clear.map { $0.scope.isWithin(scope) || scope.isWithin($0.scope) } ?? false
        }
        guard case .full(let content) = action else { return false }
        return content.scope.isWithin(scope)
    }
}
