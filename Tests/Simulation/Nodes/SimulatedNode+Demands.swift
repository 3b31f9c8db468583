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

    /// Checks that no later life than the one that goes on wrote something which the disk or another device has.
    func demandLatest(_ life: Life) {
        guard let later = lifeOrder.known.sorted().last, later > life else { return }
        world.violate(
            .dotsAreUnique, about: Violation.Subject(at: self),
            "\(name) goes on with life \(life.told(in: world)) although it wrote in its later life "
                + later.told(in: world))
    }

    /// Checks that no connected device told a time from which this clock differs by more than a day, as a sweep
    /// begins.
    func demandClocksAgree() {
        for (device, times) in toldTimes.sorted(by: { $0.key < $1.key }) {
            // Since then, this clock may have been set; the other one went on.
            let told = times.told.advanced(by: clocks.steady.since(times.instant))
            let difference = told.since(wallTime.compared)
            guard difference > WallTime.day * 2 || difference < .zero - WallTime.day * 2 else { continue }
            world.violate(
                .acknowledgedIsKept, about: Violation.Subject(at: self),
                "\(name) sweeps although the clock of \(world.name(of: device)) differs by \(difference)")
        }
    }

    /// Checks that a sweep spares the lives of which the store knows that several machines wrote in them.
    ///
    /// Devices that claim the same write of such a life may have different ones.
    func demandSparing(_ request: SweepRequest) {
        guard let life = sharedWhenSweeping.subtracting(request.shared).min() else { return }
        world.violate(
            .acknowledgedIsKept, about: Violation.Subject(at: self),
            "\(name) sweeps and does not spare life \(life.told(in: world)), in which several machines wrote")
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
        let lost = before.beyond(contents.complete)
        guard !lost.isEmpty else { return }
        let wrote = lost.sorted.contains { $0.origin.life == journal.life }
        givenUp = GivenUp(life: wrote ? journal.life : nil, sessions: endpoints)
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
    /// The life in which the device must not go on; nil if none of the claims that were given up was about it.
    ///
    /// One lane may give up its claims, and the process may end before it begins another life. A life that wrote nothing
    /// in that lane can then go on: the store still knows all that it wrote.
    let life: Life?
    /// The connections that were open.
    let sessions: [Endpoint]
}
