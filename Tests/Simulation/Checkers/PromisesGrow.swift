import BatonCore
import Support

/// Promise 1, of what devices say: without a loss, neither what a store claims nor what it knows of the durable reports
/// of devices gets smaller.
final class PromisesGrow: Checker {
    private var claimed: [Int: VersionVector] = [:]
    private var reports: [Int: Reports] = [:]

    func noteCommit(at node: SimulatedNode, _ world: World) {
        let complete = node.contents.complete
        let before = claimed.updateValue(complete, forKey: node.number)
        guard let before, before != complete, !isWithin(before, complete, world) else { return }
        world.violate(
            .acknowledgedIsKept, about: Violation.Subject(at: node),
            "\(node.name) no longer claims \(before.beyond(complete).told(in: world)), and has lost nothing")
    }

    func noteReports(_ known: Reports, at node: SimulatedNode, _ world: World) {
        let before = reports.updateValue(known, forKey: node.number)
        guard let before, before != known else { return }
        // The reports of devices that are gone are forgotten, in one lane before the other.
        let members = node.account.membership.others.union([node.identity.device])
        for (device, report) in known.sorted where members.contains(device) {
            guard let earlier = before[device], earlier != report, !isWithin(earlier, report, world) else {
                continue
            }
            world.violate(
                .acknowledgedIsKept, about: Violation.Subject(at: node),
                "\(node.name) no longer knows that \(world.name(of: device)) has for good: "
                    + earlier.beyond(report).told(in: world))
        }
    }

    func noteLoss(at node: SimulatedNode, _ world: World) {
        (claimed[node.number], reports[node.number]) = (nil, nil)
    }

    /// Returns whether one vector says no more than another one, which need not name lives that others follow.
    private func isWithin(_ one: VersionVector, _ other: VersionVector, _ world: World) -> Bool {
        one.isWithin(other) || one.isWithin(world.ledger.lineage.expanded(other))
    }
}
