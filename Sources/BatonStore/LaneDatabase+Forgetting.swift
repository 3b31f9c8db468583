import BatonCore

/// What devices said that are no part of the account any more, and what they began and can't end.
extension LaneDatabase {
    /// Forgets what those devices said.
    func forget(_ devices: Set<DeviceIdentifier>) throws(StoreFailure) {
        for device in devices.sorted() {
            for table in ["peers", "reports"] {
                try connection.run("DELETE FROM \(table) WHERE device = ?", .blob(device.bytes))
            }
        }
        progress.reports.forget(devices)
    }

    /// Gives up those snapshots; answers whether nothing is claimed any more because of it.
    func abandonSnapshots(of devices: Set<DeviceIdentifier>) throws(StoreFailure) -> Bool {
        try atomically { () throws(StoreFailure) in
            var isUnderWay = false
            for device in devices.sorted() where try snapshot(of: device) != nil {
                isUnderWay = true
                try endSnapshot(of: device)
            }
            guard isUnderWay, !progress.dropped.isWithin(progress.complete) else { return false }
            try giveUpClaims()
            return true
        }
    }

    /// Claims nothing any more of what stands here.
    private func giveUpClaims() throws(StoreFailure) {
        progress.abandoned.formUnion(progress.complete.sorted.map(\.origin.life))
        for table in ["complete", "dropped", "reports", "snapshots", "peers", "shown_states"] {
            try connection.run("DELETE FROM \(table)")
        }
        (progress.complete, progress.dropped, progress.settled) = (VersionVector(), VersionVector(), .none)
        (progress.reports, progress.lineage) = (Reports(), Lineage())
        try forgetPromises()
        try judgeAllStates()
    }
}
