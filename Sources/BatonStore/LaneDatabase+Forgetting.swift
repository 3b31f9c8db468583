import BatonCore

/// What devices said that are no part of the account any more.
extension LaneDatabase {
    /// Forgets what those devices said.
    ///
    /// What was told in a snapshot of what was let go is not claimed before its end; if none is under way, it is as if
    /// it had never been told.
    func forget(_ devices: Set<DeviceIdentifier>) throws(StoreFailure) {
        try atomically { () throws(StoreFailure) in
            for device in devices.sorted() {
                for table in ["snapshots", "peers"] {
                    try connection.run("DELETE FROM \(table) WHERE device = ?", .blob(device.bytes))
                }
            }
            let isUnderWay = try connection.statement("SELECT 1 FROM snapshots").first([]) {
                (row) throws(StoreFailure) in row.integer(0)
            }
            if isUnderWay == nil { try takeBack() }
        }
    }

    /// Takes back what was told to have been let go and is not claimed.
    private func takeBack() throws(StoreFailure) {
        for (origin, sequence) in progress.dropped.beyond(progress.complete).sorted {
            let claimed = min(sequence, progress.complete[origin])
            let life = SQLiteValue.integer(try number(of: origin.life))
            if claimed == 0 {
                try connection.run("DELETE FROM dropped WHERE life = ?", life)
            } else {
                try connection.run("UPDATE dropped SET sequence = ? WHERE life = ?", .integer(claimed), life)
            }
        }
        progress.dropped = progress.dropped.meet(progress.complete)
    }
}
