import BatonCore
import Support

/// Demands on what the account does by itself, judged by what happened before.
extension SimulatedNode {
    /// Checks that a life that begins has a larger name than the earlier lives of this process, and than those that
    /// wrote something which the disk or another device has.
    ///
    /// By their names everyone orders the lives of a device.
    func demandLater(_ life: Life) {
        for earlier in lifeOrder.inThisProcess + lifeOrder.known.sorted() where earlier > life {
            world.violate(
                .dotsAreUnique, about: Violation.Subject(at: self),
                "\(name) begins life \(life.told(in: world)) with a smaller name than its earlier life "
                    + earlier.told(in: world))
        }
        lifeOrder.inThisProcess.append(life)
    }

    /// Checks that all that was garbage-collected was reported as durable before, by this device and by each other
    /// device that it waits for.
    func demandReported(_ collected: VersionVector, for waited: Set<DeviceIdentifier>) {
        // A faulty device reports what it likes. A device that just joined has nothing that could end.
        let members = world.profile.hasRoster ? [] : waited.intersection(world.roster)
        let faulty = Set(world.nodes.filter(\.isFaulty).map(\.identity.device))
        for device in members.union([identity.device]).subtracting(faulty).sorted() {
            let reported = world.ledger.lineage.expanded(world.reportedEver[device] ?? VersionVector())
            guard !collected.isWithin(reported) else { continue }
            world.violate(
                .noResurrection, about: Violation.Subject(at: self),
                "\(name) collects tombstones up to \(collected.beyond(reported).told(in: world)), which "
                    + "\(world.name(of: device)) never reported to have for good")
        }
    }

    /// Notes that the store gave up its claims, if it claims less than before.
    func noteGivenUp(since before: VersionVector) {
        guard !before.isWithin(contents.complete) else { return }
        givenUp = GivenUp(life: journal.life, sessions: endpoints)
    }
}

/// The lives of a node, as far as their names must be ordered.
struct LifeOrder {
    /// The lives that the present process began or went on with.
    var inThisProcess: [Life] = []
    /// The lives that wrote something that the disk or another device has, and no loss took.
    var known: Set<Life> = []
}

/// The state of a node when its store gave up its claims.
struct GivenUp {
    let life: Life
    /// The connections that were open.
    let sessions: [Endpoint]
}
