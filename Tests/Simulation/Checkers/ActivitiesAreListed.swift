import BatonCore
import Support

/// Promise 11, for people who look for an activity: a store lists exactly the activities that it holds and that have
/// not expired.
///
/// Stores keep a list beside the records; here it is compared with the records themselves.
final class ActivitiesAreListed: Checker {
    private static let all = KeyHash(high: 0, low: 0)...KeyHash(high: .max, low: .max)

    func judgeAtRest(_ world: World, _ truth: Truth) {
        let devices = Set(world.members)
        for node in world.nodes where node.hasMergedAll {
            let now = node.wallTime
            let standing = [RecordKind.currentActivity, .savedActivity].flatMap { kind in
                node.ask { (store) throws(StoreFailure) in try store.records(of: kind) }
            }
            .compactMap { ActivityEntry($0) }.filter { $0.expires.map { $0 > now } ?? true }
            let (current, finished) = (
                standing.filter { $0.identity.kind == .currentActivity },
                standing.filter { $0.identity.kind == .savedActivity }
            )
            for device in devices.sorted() {
                compare(.current(on: device), current.filter { $0.device == device }, at: node)
                compare(.finishedOn(device), finished.filter { $0.device == device }, at: node)
            }
            compare(.finished, finished, at: node)
            compare(.finishedCalled(Self.all), finished, at: node)
            compare(.finishedFrom(Self.all), finished.filter { $0.origin != nil }, at: node)
        }
    }

    private func compare(_ query: ActivityQuery, _ standing: [ActivityEntry], at node: SimulatedNode) {
        let listed = node.ask { (store) throws(StoreFailure) in
            var listed: [ActivityEntry] = []
            try store.lane(.activities).visitActivities(query, at: node.wallTime) { entry in
                listed.append(entry)
                return true
            }
            return listed
        }
        let byIdentity = { (left: ActivityEntry, right: ActivityEntry) in left.identity < right.identity }
        if listed.sorted(by: byIdentity) != standing.sorted(by: byIdentity) {
            let different = Set(listed.map(\.identity)).symmetricDifference(standing.map(\.identity))
            node.world.violate(
                .freshestPayload, about: Violation.Subject(records: Array(different), at: node),
                "\(node.name) lists \(listed.count) activities as \(query), and has \(standing.count)")
        }
        if case .finishedCalled = query {
        } else if case .finishedFrom = query {
        } else {
            let times = listed.map(\.changed)
            guard times != times.sorted(by: >) else { return }
            node.world.violate(
                .freshestPayload, about: Violation.Subject(at: node),
                "\(node.name) does not list the latest of \(query) first")
        }
    }
}

extension SimulatedNode {
    /// Whether no batch and no clear has work left to do for the activities.
    fileprivate var hasMergedAll: Bool {
        let left = ask { (store) throws(StoreFailure) in try store.lane(.activities).unsettled() }
        return left.toMerge == 0 && left.toClear == 0
    }
}
