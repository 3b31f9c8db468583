/// The statements of the roster in the lane of activities.
extension LaneStore {
    /// Whether any statements are skipped.
    package var hasSkipped: Bool {
        get throws(StoreFailure) {
            var hasAny = false
            try visitNotes(in: .skippedStatement) { _ in
                hasAny = true
                return false
            }
            return hasAny
        }
    }

    /// Returns revocations of the devices in `devices`, and skipped admissions of the devices in `kept`.
    ///
    /// For each device, the number of returned statements is limited.
    ///
    /// One statement about a device has the same effect as many of the same kind. So it is not necessary to read
    /// thousands of statements about one device that the thief of an owner's key has signed. Unless `skippedOnly` is
    /// true, revocations that are not noted as skipped are read, too. A rescue of the database may lose the notes while
    /// the node runs.
    package func statements(
        about devices: Set<DeviceIdentifier>, admissionsOf kept: Set<DeviceIdentifier>,
        skippedOnly: Bool = false
    ) throws(StoreFailure) -> [Record] {
        var revocations: [DeviceIdentifier: [RecordIdentity]] = [:]
        var admissions: [DeviceIdentifier: [RecordIdentity]] = [:]
        if !skippedOnly {
            _ = try records(of: .rosterStatement, besides: .skippedStatement) { record in
                if let device = record.revokedDevice, devices.contains(device),
                    revocations[device, default: []].count < Self.revocationsRead
                {
                    revocations[device, default: []].append(record.identity)
                }
                return false
            }
        }
        try visitNotes(in: .skippedStatement) { note in
            guard let skipped = SkippedStatement(note) else { return true }
            switch skipped.subject {
            case .revocation(let device) where devices.contains(device):
                if revocations[device, default: []].count < Self.revocationsRead {
                    revocations[device, default: []].append(skipped.identity)
                }
            case .admission(let device) where kept.contains(device):
                if admissions[device, default: []].count < Limits.deviceAdmissions {
                    admissions[device, default: []].append(skipped.identity)
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

    /// The largest number of revocations of one device that are read.
    private static var revocationsRead: Int { 4 }
}

extension Record {
    /// The device that this statement of the roster revokes; nil if it does not revoke a device.
    ///
    /// The statement is not verified.
    fileprivate var revokedDevice: DeviceIdentifier? {
        guard let key else { return nil }
        do throws(CBORError) {
            guard case .revocation(let revocation) = try RosterStatement(key),
                case .device(let device) = revocation.subject
            else { return nil }
            return device
        } catch {
            return nil
        }
    }
}
