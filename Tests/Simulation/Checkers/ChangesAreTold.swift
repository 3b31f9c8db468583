import BatonCore
import Support

/// Promise 2, for readers: a store that changes a record, or the client state that it shows, reports it with the
/// commit, so that a process that only listens knows the stored state.
final class ChangesAreTold: Checker {
    private var known: [Int: Known] = [:]

    /// The latest state that one process was told of its store.
    private struct Known {
        let run: Int
        var records: [RecordIdentity: Record] = [:]
        var states: [ClientStateName: ShownState?] = [:]
    }

    func noteCommitted(_ commit: StoreCommit, at node: SimulatedNode, _ world: World) {
        if known[node.number]?.run != node.run { known[node.number] = Known(run: node.run) }
        for record in commit.changed { known[node.number]?.records[record.identity] = record }
        for name in commit.shown { known[node.number]?.states[name] = .some(node.shownState(of: name)) }
    }

    func noteLoss(at node: SimulatedNode, _ world: World) { known[node.number] = nil }

    func judgeAtRest(_ world: World, _ truth: Truth) {
        for node in world.nodes {
            guard let known = known[node.number], known.run == node.run else { continue }
            for record in known.records.values.sorted(by: { $0.identity < $1.identity }) {
                let standing = node.contents.record(record.identity)?.visible ?? []
                guard standing != record.visible else { continue }
                world.violate(
                    .convergence,
                    about: Violation.Subject(standing, records: [record.identity], at: node),
                    "\(node.name) changed a record and did not tell: it has \(standing.map { $0.told(in: world) }), "
                        + "and told \(record.visible.map { $0.told(in: world) })")
            }
            for (name, state) in known.states where node.shownState(of: name) != state {
                world.violate(
                    .checkpointsFollowData,
                    about: Violation.Subject(records: [name.key.identity], at: node),
                    "\(node.name) shows another client state of index \(name.index) than it told")
            }
        }
    }
}

extension Record {
    /// The writes other than tombstones, which may be collected without a report.
    fileprivate var visible: [Write] { survivingWrites.filter { !$0.isTombstone } }
}

extension SimulatedNode {
    fileprivate func shownState(of name: ClientStateName) -> ShownState? {
        ask { (store) throws(StoreFailure) in try store.shownState(of: name) }
    }
}
