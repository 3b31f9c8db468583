/// What the lane of activities has set aside of the roster.
extension LaneStore {
    /// Whether statements of the roster were set aside.
    package var hasSetAside: Bool {
        get throws(StoreFailure) {
            var hasAny = false
            try visitNotes(in: .setAsideStatement) { _ in
                hasAny = true
                return false
            }
            return hasAny
        }
    }

    /// Returns statements that were set aside about these devices: revocations of them, and admissions of those in the
    /// second set, some of each.
    ///
    /// Any one of them says as much as all, so an owner's thief who signed thousands about one device makes nobody read
    /// them.
    package func statementsSetAside(
        about devices: Set<DeviceIdentifier>, admissionsOf kept: Set<DeviceIdentifier>
    ) throws(StoreFailure) -> [Record] {
        var revocations: [DeviceIdentifier: [RecordIdentity]] = [:]
        var admissions: [DeviceIdentifier: [RecordIdentity]] = [:]
        try visitNotes(in: .setAsideStatement) { note in
            guard let aside = SetAsideStatement(note) else { return true }
            switch aside.subject {
            case .revocation(let device) where devices.contains(device):
                if revocations[device, default: []].count < Self.readAside {
                    revocations[device, default: []].append(aside.identity)
                }
            case .admission(let device) where kept.contains(device):
                if admissions[device, default: []].count < Limits.deviceAdmissions {
                    admissions[device, default: []].append(aside.identity)
                }
            case .revocation, .admission: break
            }
            return true
        }
        var records: [Record] = []
        for identity in (Array(revocations.values.joined()) + admissions.values.joined()).sorted() {
            if let record = try record(identity), record.isThere { records.append(record) }
        }
        return records
    }

    /// The most revocations of one device that are read.
    private static var readAside: Int { 4 }
}
