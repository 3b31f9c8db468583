import BatonCore
import Support

/// Actions of people about membership, and attempts of strangers to get in.
extension World {
    static let rosterStream = "roster"

    /// An owner admits a device that joins; the first device is an owner.
    func admit(_ node: SimulatedNode) {
        guard profile.hasRoster else { return }
        let device = node.identity.device
        let inviter = inviters.isEmpty ? nil : streams[Self.rosterStream].pick(inviters)
        guard let inviter, let owner = inviter.papers?.owner else {
            return found(node, with: authority.makeOwner())
        }
        // Some have the recovery code, and make themselves owners.
        if streams[Self.rosterStream].chance(35) { return found(node, with: authority.makeOwner()) }
        let statement = authority.admit(device, by: owner)
        node.take(Papers(owner: nil, chain: statement), isFirst: false)
        inviter.write(.activities, [Journal.Draft(statement)])
    }

    /// Lets a device admit itself with an owner's key.
    private func found(_ node: SimulatedNode, with owner: OwnerIdentifier) {
        let device = node.identity.device
        let statement = authority.admit(device, by: owner)
        // Others that are there already enter the owner once they meet it.
        node.take(Papers(owner: owner, chain: statement), isFirst: members.count == 1)
    }

    /// Returns the records that say of each device that it is a member or has left, in a world without a roster.
    func plainRecords(of devices: Set<DeviceIdentifier>) -> [Record] {
        let life = Life(high: 0, low: 0)
        return devices.sorted().flatMap { device in
            let statement = authority.admitPlainly(device)
            let left = roster.contains(device) ? nil : WallTime(milliseconds: 0)
            let said = Device(identifier: device, name: "", admitted: WallTime(milliseconds: 0), left: left)
            return [Journal.Draft(statement), Journal.Draft(said)].enumerated().compactMap { place, draft in
                let dot = Dot(
                    origin: Origin(life: life, lane: .activities), sequence: 1, place: UInt32(place))
                return draft.write(dot, at: Stamp(time: .zero, life: life)).map { Record($0) }
            }
        }
    }

    /// The signer of a device in a world without a roster; nil if nobody makes records up there.
    func plainSigner(of device: DeviceIdentifier) -> SimulatedSigner? {
        guard profile[.impersonate] > 0 else { return nil }
        return SimulatedSigner(device, admittedBy: authority.admitPlainly(device))
    }

    /// Machines that can admit someone, including some that no longer may.
    private var inviters: [SimulatedNode] { nodes.filter { $0.isUp && $0.papers?.owner != nil } }

    /// Whether a device could join now.
    var canInvite: Bool { !profile.hasRoster || !inviters.isEmpty }

    func name(of device: DeviceIdentifier) -> String {
        (nodes + everyoneGone).first { $0.identity.device == device }?.name ?? device.short
    }

    // MARK: Revoking

    /// Returns whether enough devices would be left without those, by all statements ever made.
    private func canLose(_ lost: [SimulatedNode]) -> Bool {
        var all = everyStatement
        let left = nodes.filter { node in
            all.isMember(node.identity.device) && !lost.contains { $0 === node }
        }
        return left.count > 2
    }

    /// All statements that exist anywhere.
    var everyStatement: PlainRoster {
        PlainRoster(nodes.flatMap(\.statements) + issued, by: authority)
    }

    /// An owner revokes a machine: its device, its owner, or both.
    func revokeSomeone() {
        let owners = inviters
        guard !owners.isEmpty else { return }
        let revoker = streams[Self.rosterStream].pick(owners)
        let others = nodes.filter { $0 !== revoker && $0.hasPapers }
        // Some people revoke their own machine.
        let isOwn = streams[Self.rosterStream].chance(10)
        guard !others.isEmpty else { return }
        let target = isOwn ? revoker : streams[Self.rosterStream].pick(others)
        guard canLose([target]) else { return }
        switch streams[Self.rosterStream].number(0...4) {
        case 0: revoke(target, by: revoker, device: true, owner: false)
        case 1: revoke(target, by: revoker, device: false, owner: true)
        default: revoke(target, by: revoker, device: true, owner: true)
        }
    }

    /// Two owners revoke each other before either can hear of it.
    func feud() {
        let owners = inviters
        guard owners.count > 1 else { return }
        let pair = streams[Self.rosterStream].shuffled(owners).prefix(2)
        guard let one = pair.first, let two = pair.last, canLose([one, two]) else { return }
        tell("\(one.name) and \(two.name) fall out")
        marks[.feuds] += 1
        divide(apart: one, two)
        revoke(two, by: one, device: streams[Self.rosterStream].chance(70), owner: true)
        revoke(one, by: two, device: streams[Self.rosterStream].chance(70), owner: true)
    }

    func revoke(
        _ target: SimulatedNode, by revoker: SimulatedNode, device: Bool, owner: Bool
    ) {
        guard let own = revoker.papers?.owner else { return }
        let roster = revoker.membership.roster
        var statements: [RosterStatement] = []
        if device {
            statements.append(
                authority.revoke(.device(target.identity.device), by: own, at: revoker.wallTime))
            marks[.revoked] += 1
        }
        if owner, let other = target.papers?.owner {
            let leaving = roster.leaving(revoking: other, with: device ? [target.identity.device] : [])
            statements += leaving.anew.map { authority.admit($0, by: own) }
            let subject = Revocation.Subject.owner(other, kept: leaving.kept)
            statements.append(authority.revoke(subject, by: own, at: revoker.wallTime))
            marks[.ownersRevoked] += 1
        }
        guard !statements.isEmpty else { return }
        tell("\(revoker.name) revokes \(target.name): \(device ? "device" : "") \(owner ? "owner" : "")")
        issued += statements
        revoker.write(.activities, statements.map { Journal.Draft($0) }, isBatch: true)
    }

    /// An owner admits a device again, as a renewal, or because its owner was revoked.
    func admitAnew() {
        guard !inviters.isEmpty else { return }
        let owner = streams[Self.rosterStream].pick(inviters)
        let roster = owner.membership.roster
        guard let own = owner.papers?.owner, !roster.devices.isEmpty else { return }
        let undone = roster.devices.filter {
            if case .undone = roster.standing(of: $0) { true } else { false }
        }
        let device = streams[Self.rosterStream].pick(undone.isEmpty ? roster.devices : undone)
        if !undone.isEmpty { marks[.admittedAnew] += 1 }
        tell("\(owner.name) lets \(name(of: device)) in anew")
        owner.write(.activities, [Journal.Draft(authority.admit(device, by: own))])
    }

    // MARK: Strangers

    /// Sends statements without a valid signature, and records in the name of other devices: all with the largest
    /// stamp, so that nothing could answer them.
    func forge() {
        let up = nodes.filter { $0.isUp && $0.hasPapers }
        let owners = nodes.compactMap { $0.papers?.owner }
        guard !up.isEmpty, !owners.isEmpty else { return }
        let forger = streams[Self.rosterStream].pick(up)
        let target = streams[Self.rosterStream].pick(nodes)
        let about = target.identity.device
        let statement = authority.forge(about: about, against: streams[Self.rosterStream].pick(owners))
        tell("\(forger.name) makes up a statement about \(name(of: about))")
        forger.forgeries.append(Journal.Draft(statement))
        guard target !== forger else { return }
        forger.forgeries.append(forgedRecord(of: target, by: forger))
    }

    /// Returns the record of another device that says that it left, or that others are gone: signed by nobody, or by the
    /// forger.
    private func forgedRecord(of target: SimulatedNode, by forger: SimulatedNode) -> Journal.Draft {
        var device = Device(
            identifier: target.identity.device, name: "gone", admitted: forger.wallTime, left: forger.wallTime
        )
        for other in nodes.prefix(3) {
            let seen = other.membership.recordStamp(of: other.identity.device)
            device.remove(other.identity.device, seen: seen, at: forger.wallTime)
        }
        let draft = Journal.Draft(device)
        let chain = target.papers?.chain
        guard streams[Self.rosterStream].chance(60),
            let signer = SimulatedSigner(forger.identity.device, admittedBy: chain),
            let proof = DeviceProof(
                owner: signer.owner, device: signer.device, signature: signer.sign([1]) ?? [])
        else { return draft }
        var fields = device.fields
        fields.set(DeviceProof.number) { proof.encode(to: &$0) }
        return Journal.Draft(.full(Write.Content(fields: fields)), Device.key(device.identifier))
    }

    /// A machine that was not admitted tries to take part.
    func intrude() {
        let owners = nodes.compactMap { $0.papers?.owner }
        guard honest.count < Self.devicesMost, !owners.isEmpty else { return }
        let node = join(admitted: false)
        tell("\(node.name) comes, whom nobody let in")
        marks[.strangers] += 1
        let forged = authority.forgeAdmission(against: streams[Self.rosterStream].pick(owners))
        node.take(Papers(owner: nil, chain: forged), isFirst: false)
    }

    /// A device is away for long, another person declares it gone, and it comes back.
    func giveUp() {
        guard let node = victim(of: .giveUp, where: { $0.isUp && !$0.isAway }) else { return }
        tell("\(node.name) goes away")
        for endpoint in node.endpoints { endpoint.cut() }
        leaveAlone(node, .giveUp)
        later(.giveUp, 0...10) { [unowned self] in dismiss(node.identity.device, but: node) }
    }

    /// Someone present declares a device gone.
    func dismiss(_ device: DeviceIdentifier, but node: SimulatedNode? = nil) {
        // At most one device that will return is declared gone at a time, as the protocol page says, and never by a
        // device that was declared gone itself.
        let all = honest.reduce(into: Set<DeviceIdentifier>()) {
            $0.formUnion($1.contents.givenUp(by: authority))
        }
        let givenUp = all.intersection(nodes.map(\.identity.device))
        let isThere = nodes.contains { $0.identity.device == device }
        guard !isThere || givenUp.isEmpty && (pardoned.map { $0 <= now } ?? true) else { return }
        // Until the declaration is stored, nobody else makes another.
        if isThere { pardoned = now + .milliseconds(20 * (profile.delay + profile.pace)) }
        let up = honest.filter {
            $0.isUp && $0 !== node && $0.identity.device != device && !givenUp.contains($0.identity.device)
        }
        guard !up.isEmpty else { return }
        let declaring = streams[Self.rosterStream].pick(up)
        declaring.dismiss(device)
        guard !isThere else { return }
        // A device in the middle of a snapshot may be unable to take the news from others.
        for other in up where other !== declaring && other.isInSnapshot { other.dismiss(device) }
    }

    // MARK: The end

    /// Removes from judgement the devices that are no members by all that the remaining devices know.
    func partFromOutcasts() {
        guard profile.hasRoster else { return }
        // Pending work is finished first, so that no more statements are made.
        play()
        while violation == nil {
            var known = PlainRoster(nodes.flatMap(\.statements), by: authority)
            guard let outcast = nodes.first(where: { !known.isMember($0.identity.device) }) else { break }
            tell("\(outcast.name) is no part of the account")
            marks[.outcasts] += 1
            remove(outcast)
        }
        // Machines of one device do not talk to each other, and there may be nobody else left.
        while let first = nodes.first, nodes.count > 1,
            nodes.allSatisfy({ $0.identity.device == first.identity.device })
        {
            remove(nodes[nodes.count - 1])
        }
        dismissAbsent()
    }

    /// Returns whether all other devices are members by what they know among themselves.
    ///
    /// A device that was revoked by mistake may have been admitted anew where nobody heard of it yet.
    func areMembers(without node: SimulatedNode) -> Bool {
        guard profile.hasRoster else { return true }
        let others = nodes.filter { $0 !== node }
        var known = PlainRoster(others.flatMap(\.statements), by: authority)
        return others.allSatisfy { known.isMember($0.identity.device) }
    }

    /// Declares every absent device gone.
    func dismissAbsent() {
        guard profile.hasRoster else { return }
        let waited = nodes.reduce(into: Set<DeviceIdentifier>()) { $0.formUnion($1.roster) }
        for device in waited.subtracting(nodes.map(\.identity.device)).sorted() { dismiss(device) }
    }
}
