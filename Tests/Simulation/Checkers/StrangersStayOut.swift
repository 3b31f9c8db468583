import BatonCore

/// Promise 8: a node gives nothing to a device that is no member by what the node has heard, and takes nothing from it;
/// in the end all know the same members.
final class StrangersStayOut: Checker {
    /// The statements that each node has received, by its number.
    private var heard: [Int: PlainRoster] = [:]
    /// The revocations that each machine had in both files beside its store, by its number; no loss of the store undoes
    /// them.
    private var kept: [Int: Set<RosterStatement>] = [:]

    func noteKept(_ revocations: [RosterStatement], at node: SimulatedNode, _ world: World) {
        kept[node.number, default: []].formUnion(revocations)
    }

    func noteStatements(
        _ statements: [RosterStatement], at node: SimulatedNode, isAnew: Bool, _ world: World
    ) {
        var roster = isAnew ? nil : heard[node.number]
        if roster == nil { roster = PlainRoster(by: world.authority) }
        for statement in statements { roster?.add(statement, by: world.authority) }
        if isAnew { for statement in kept[node.number] ?? [] { roster?.add(statement, by: world.authority) } }
        heard[node.number] = roster
    }

    func noteSent(_ frame: Frame, from endpoint: Endpoint, _ world: World) {
        guard frame.kind != .close, !isMember(endpoint.peer, to: endpoint.node) else { return }
        world.violate(
            .strangersStayOut,
            "\(endpoint.node.name) gives \(endpoint.peer.name) a \(frame.kind), and knows that it is no member"
        )
    }

    func noteKept(
        _ transaction: StoreTransaction, _ endpoint: Endpoint, at node: SimulatedNode, _ world: World
    ) {
        guard !isMember(endpoint.peer, to: node) else { return }
        world.violate(
            .strangersStayOut,
            "\(node.name) takes writes of \(endpoint.peer.name), and knows that it is no member")
    }

    private func isMember(_ peer: SimulatedNode, to node: SimulatedNode) -> Bool {
        guard node.hasPapers else { return true }
        return heard[node.number]?.isMember(peer.identity.device) ?? false
    }

    func judgeAtRest(_ world: World, _ truth: Truth) {
        guard world.profile.hasRoster else { return }
        var all = PlainRoster(world.honest.flatMap(\.statements), by: world.authority)
        let members = all.devices.filter { all.isMember($0) }.sorted()
        for node in world.honest {
            guard node.hasPapers else { continue }
            let membership = node.membership
            if membership.roster.members != members {
                world.violate(
                    .convergence,
                    "\(node.name) takes \(membership.roster.members.map(world.name)) for members: \(members.map(world.name))"
                )
            }
            for other in world.honest where !membership.waitedFor.contains(other.identity.device) {
                world.violate(.bounds, "\(node.name) does not wait for \(other.name), which is there")
            }
            for other in world.honest where other.hasPapers {
                let record = node.contents.record(Device.key(other.identity.device).identity)
                guard record?.isThere != true else { continue }
                world.violate(
                    .strangersStayOut, about: Violation.Subject(at: node),
                    "\(node.name) has no record of \(other.name), which is there")
            }
            let removed = node.contents.givenUp(by: world.authority)
            for other in world.honest where removed.contains(other.identity.device) {
                world.violate(
                    .strangersStayOut, about: Violation.Subject(at: node),
                    "by a record at \(node.name), \(other.name) is gone, and it is there")
            }
        }
    }
}
