import BatonCore

/// The rows of the tables `dropped` and `reports`.
///
/// `dropped` covers the tombstones that were garbage-collected. `reports` says what each device has stored durably.
struct TombstoneTable {
    let rows: LaneRows

    /// Reads the vector that covers all tombstones that were garbage-collected.
    func dropped() throws(StoreFailure) -> VersionVector {
        try rows.vector("SELECT life, sequence FROM dropped")
    }

    /// Stores that the tombstones that a vector covers were garbage-collected, too.
    func keepDropped(_ dropped: VersionVector) throws(StoreFailure) {
        for (origin, sequence) in dropped.sorted {
            try rows.run(
                "INSERT OR REPLACE INTO dropped (life, sequence) VALUES (?, ?)",
                .integer(try rows.number(of: origin.life)), .integer(sequence))
        }
    }

    /// Reads the reports of devices about what they have stored durably.
    func reports() throws(StoreFailure) -> Reports {
        var devices: [DeviceIdentifier] = []
        try rows.statement("SELECT DISTINCT device FROM reports").rows([]) { (row) throws(StoreFailure) in
            guard let device = DeviceIdentifier(bytes: row.blob(0)) else { throw rows.damaged(.outOfRange) }
            devices.append(device)
            return true
        }
        var reports = Reports()
        for device in devices {
            let query = "SELECT life, sequence FROM reports WHERE device = ?"
            reports.join(device, try rows.vector(query, [.blob(device.bytes)]))
        }
        return reports
    }

    /// Replaces the report of a device.
    func keep(
        _ now: VersionVector, insteadOf before: VersionVector, of device: DeviceIdentifier
    ) throws(StoreFailure) {
        for (origin, _) in before.sorted where now[origin] == 0 {
            try rows.run(
                "DELETE FROM reports WHERE device = ? AND life = ?", .blob(device.bytes),
                .integer(try rows.number(of: origin.life)))
        }
        for (origin, sequence) in now.beyond(before).sorted {
            try rows.run(
                "INSERT OR REPLACE INTO reports (device, life, sequence) VALUES (?, ?, ?)",
                .blob(device.bytes), .integer(try rows.number(of: origin.life)),
                .integer(sequence))
        }
    }

    /// Removes the report of a device.
    func remove(_ device: DeviceIdentifier) throws(StoreFailure) {
        try rows.run("DELETE FROM reports WHERE device = ?", .blob(device.bytes))
    }
}
