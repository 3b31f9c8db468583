import BatonCore

/// The rows that say which tombstones may be garbage-collected, and which were: `dropped` and `reports`.
struct TombstoneTable {
    let rows: LaneRows

    /// Reads the vector that covers all tombstones that were garbage-collected.
    func dropped() throws(StoreFailure) -> VersionVector {
        var dropped = VersionVector()
        try rows.statement("SELECT life, sequence FROM dropped").rows([]) { (row) throws(StoreFailure) in
            dropped.extend(try rows.origin(row.integer(0)), to: row.unsigned(1))
            return true
        }
        return dropped
    }

    /// Stores which further tombstones were garbage-collected.
    func keepDropped(_ dropped: VersionVector) throws(StoreFailure) {
        for (origin, sequence) in dropped.sorted {
            try rows.run(
                "INSERT OR REPLACE INTO dropped (life, sequence) VALUES (?, ?)",
                .integer(try rows.number(of: origin.life)), .integer(sequence))
        }
    }

    /// Reads the reports of devices about what they have stored durably.
    func reports() throws(StoreFailure) -> Reports {
        var reports = Reports()
        try rows.statement("SELECT device, life, sequence FROM reports").rows([]) {
            (row) throws(StoreFailure) in
            guard let device = DeviceIdentifier(bytes: row.blob(0)) else { throw rows.damaged(.outOfRange) }
            let origin = try rows.origin(row.integer(1))
            reports.join(device, VersionVector([(origin, row.unsigned(2))]))
            return true
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
