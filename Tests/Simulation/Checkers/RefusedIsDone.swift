import BatonCore
import Support

/// Promises 8 and 9: what a disk refused to the account is done once the disk works again, and every revocation that is in
/// force on a device is in its store.
final class RefusedIsDone: Checker {
    func judgeAtRest(_ world: World, _ truth: Truth) {
        for node in world.honest where node.isUp && !node.isStuck && !node.isFull && !node.isPaused {
            let left = node.refusedSubjects.left.filter { !isDone($0, at: node, world) }
            if let subject = left.min(by: { $0.place < $1.place }) {
                world.violate(
                    subject.promise, about: Violation.Subject(at: node),
                    "\(node.name) is at rest, and never again did what its disk refused: \(subject.told)")
            }
            guard node.hasPapers else { continue }
            for key in node.membership.revocations.keys where node.contents.record(key.identity) == nil {
                world.violate(
                    .strangersStayOut, about: Violation.Subject(records: [key.identity], at: node),
                    "the store of \(node.name) lacks a revocation that is in force there")
            }
        }
    }

    /// Whether a subject need not be done any more, or waits for other devices.
    private func isDone(_ subject: RefusedSubjects.Subject, at node: SimulatedNode, _ world: World) -> Bool {
        // A report need not name the lives that others of it follow.
        func isReported(_ claims: VersionVector, by reports: Reports) -> Bool {
            let report = reports[node.identity.device] ?? VersionVector()
            return claims.isWithin(world.ledger.lineage.expanded(report))
        }
        return switch subject {
        // Another device may have brought the statement.
        case .statement(let identity): node.contents.record(identity) != nil
        case .tombstones, .strays: node.account.awaitsStep
        // A report of the same claims may have been stored, and read, while this one was under way.
        case .report(let lane):
            isReported(node.contents.complete.restricted(to: lane), by: node.contents.reports)
        case .reports: isReported(node.contents.complete, by: node.account.collector.reports)
        case .settling, .claims, .keptReports, .forgottenReports, .arrivalOrder: false
        }
    }
}

extension RefusedSubjects.Subject {
    fileprivate var promise: Promise { if case .statement = self { .strangersStayOut } else { .bounds } }

    /// The subject, as a story names it.
    fileprivate var told: String {
        switch self {
        case .settling(let lane): "to settle its \(lane)"
        case .report(let lane): "to save the report of its \(lane)"
        case .claims: "to read what it claims"
        case .reports: "to read the reports of devices"
        case .keptReports: "to save the reports of devices"
        case .forgottenReports: "to forget the reports of devices that are gone"
        case .tombstones: "to collect tombstones"
        case .strays: "to look for lost writes"
        case .arrivalOrder: "to begin an order of arrival"
        case .statement(let identity): "to save \(identity.told)"
        }
    }
}
