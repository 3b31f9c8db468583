import BatonCore
import Support

/// Promise 10, as the account shows it to a person: the quarantined writes are those of the store, and each connected
/// device was seen.
final class DevicesAreKnown: Checker {
    func judgeAtRest(_ world: World, _ truth: Truth) {
        for node in world.honest where node.isUp && !node.isStuck {
            let stored = node.ask { (store) throws(StoreFailure) in try store.quarantined() }
            let senders = Dictionary(grouping: stored.compactMap(\.peer), by: \.self).mapValues(\.count)
            let counts = node.account.quarantine.counts
            if senders != Dictionary(uniqueKeysWithValues: counts.map { ($0.device, $0.count) }) {
                world.violate(
                    .unknownIsKept, about: Violation.Subject(at: node),
                    "\(node.name) shows \(counts.map(\.count)) quarantined writes, and has \(stored.count)")
            }
            for endpoint in node.endpoints where endpoint.session.isOpen {
                guard node.account.contacts[endpoint.peer.identity.device] == nil else { continue }
                world.violate(
                    .unknownIsKept, about: Violation.Subject(at: node),
                    "\(node.name) is connected with \(endpoint.peer.name), and never saw it")
            }
        }
    }
}
