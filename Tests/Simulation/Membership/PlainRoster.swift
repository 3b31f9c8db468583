import BatonCore

/// The meaning of a set of statements, by the plainest reading of the rules: the measure of the product's roster.
struct PlainRoster {
    private var statements: Set<RosterStatement> = []
    private var verified: [VerifiedStatement] = []
    /// The devices that were found to be members, or not.
    private var found: [DeviceIdentifier: Bool] = [:]

    init(_ statements: some Sequence<RosterStatement> = [], by authority: SimulatedAuthority) {
        for statement in statements { add(statement, by: authority) }
    }

    mutating func add(_ statement: RosterStatement, by authority: SimulatedAuthority) {
        guard statements.insert(statement).inserted, let said = authority.verify(statement) else { return }
        verified.append(said)
        found = [:]
    }

    mutating func add(_ other: PlainRoster, by authority: SimulatedAuthority) {
        for statement in other.statements { add(statement, by: authority) }
    }

    /// Returns whether nothing revokes the device, and it was admitted by an owner all of whose revocations keep it.
    mutating func isMember(_ device: DeviceIdentifier) -> Bool {
        if let known = found[device] { return known }
        let isMember = judge(device)
        found[device] = isMember
        return isMember
    }

    private func judge(_ device: DeviceIdentifier) -> Bool {
        let isRevoked = verified.contains {
            if case .deviceRevocation(device, _) = $0 { true } else { false }
        }
        guard !isRevoked else { return false }
        return verified.contains { said in
            guard case .admission(let admission) = said, admission.device == device else { return false }
            return verified.allSatisfy {
                if case .ownerRevocation(admission.owner, let kept, _) = $0 {
                    kept.contains(device)
                } else {
                    true
                }
            }
        }
    }

    /// All devices that were ever admitted or revoked.
    var devices: Set<DeviceIdentifier> {
        Set(
            verified.compactMap { said in
                switch said {
                case .admission(let admission): admission.device
                case .deviceRevocation(let device, _): device
                case .ownerRevocation: nil
                }
            })
    }
}

extension StoreContents {
    /// Returns the devices that members declare gone, by the plainest reading of the rules.
    func givenUp(by authority: SimulatedAuthority) -> Set<DeviceIdentifier> {
        var roster = PlainRoster(statements, by: authority)
        let records = allRecords.compactMap { record in record.device.map { ($0, record.incarnation) } }
        let stamps = Dictionary(uniqueKeysWithValues: records.map { ($0.identifier, $1) })
        return Set(
            records.flatMap { author, _ in
                author.removals.filter { removal in
                    removal.device != author.identifier
                        && removal.seen == stamps[removal.device] ?? .least
                        && roster.isMember(author.identifier)
                }.map(\.device)
            })
    }

    /// The statements in the store.
    var statements: [RosterStatement] { allRecords.compactMap(\.key?.statement) }
}
