import BatonCore
import Support

/// Reports of what devices keep, and letting go of traces, devices and claims.
extension SimulatedNode {
    /// Says of one lane after the other what of it survives the loss of power from now on.
    func report(
        _ complete: VersionVector, of lane: Lane, _ group: inout Group
    ) throws(StoreFailure) {
        try store.lane(lane).report(of: identity.device, having: complete)
        group.isDurable = true
        group.notices.append {
            self.enter(lane == .activities ? .report(complete, .index) : .readReports)
        }
    }

    /// A session opened.
    func handleOpening(of endpoint: Endpoint) {
        endpoint.session.tellReports(reports)
        noteConnections()
    }

    /// Passes reports on, and lets go of what they allow.
    func handle(_ reports: Reports) {
        self.reports = reports
        for endpoint in endpoints { endpoint.handle { $0.tellReports(reports) } }
        if world.profile.letsGo { enter(.collect) }
    }

    func letGo() throws(StoreFailure) {
        guard mayLetGo, !endpoints.contains(where: { $0.session.isPeerSetBack }) else { return }
        let most = generator.pick([1, 3, 1000])
        let count = try store.collect(CollectRequest(roster: waitedFor, most: most))
        guard count > 0 else { return }
        world.tell("\(name) lets go of \(count) traces")
        world.marks[.tracesLetGo] += count
        if world.nodes.contains(where: { peer in
            peer !== self && !endpoints.contains { $0.peer === peer }
        }) {
            world.marks[.tracesLetGoWhileAway] += count
        }
        enter(.collect)
    }

    /// Forgets what devices said that are gone for good.
    func forget(_ group: inout Group) throws(StoreFailure) {
        try giveUp(gone, &group) { (store) throws(StoreFailure) in try store.forget(gone) }
        let known = contents.reports
        group.notices.append { self.reports = known }
    }

    /// Does something for which a store may give up all that it claims, because a snapshot of those devices will not come
    /// to its end; then it meets everyone anew, with a life that goes on with nothing.
    func giveUp(
        _ devices: Set<DeviceIdentifier>, _ group: inout Group,
        _ body: (any AccountStore) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        var isTakingSnapshot = false
        for device in devices where try !store.summary(for: device).snapshots.isEmpty {
            isTakingSnapshot = true
        }
        guard try body(store) || mayHaveGivenUp else { return }
        if !isTakingSnapshot, !mayHaveGivenUp {
            world.violate(
                .costFollowsChange, about: Violation.Subject(at: self),
                "\(name) gives up all that it claims, and no snapshot was under way")
        }
        group.givesUp = true
        let known = contents.reports
        group.notices.append { [self] in
            (reports, mayHaveGivenUp) = (known, false)
            begin(newLife())
            meetAnew()
        }
    }

    /// Writes once more what devices of which nobody is left, and earlier lives of this one, wrote and lost.
    func adoptStrays() throws(StoreFailure) {
        guard !endpoints.isEmpty, endpoints.allSatisfy({ $0.session.isInStep }) else { return }
        #if DEBUG
            if Faults.isPlanted(.straysNeverAdopted) { return }
        #endif
        let authors = gone.union([identity.device])
        for lane in Lane.allCases {
            let strays = try store.strays(of: authors, in: lane)
            guard !strays.isEmpty else { continue }
            let latest = strays.map(\.dot.origin.life).max() ?? journal.life
            if latest >= journal.life { begin(newLife(after: latest.birth)) }
            guard let transaction = journal.adoption(of: strays, in: lane) else { continue }
            world.tell("\(name) adopts \(transaction.writes.map { $0.told(in: world) })")
            world.marks[.adoptions] += transaction.writes.count
            enter(.write(transaction, Work.OwnWrite(isBatch: false, seen: known) { _ in }))
        }
    }
}
