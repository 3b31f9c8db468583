package import BatonCore

extension SQLiteStore {
    package func keep(_ reports: Reports) throws(StoreFailure) -> Reports {
        let kept = reports.within(complete).sorted
        try change { (database) throws(StoreFailure) in
            for (device, vector) in kept { try database.report(device, vector) }
        }
        return self.reports
    }

    package func collect(_ request: CollectRequest) throws(StoreFailure) -> Int {
        var count = 0
        let shared = try sharedLives()
        guard isGrouping else {
            try group { () throws(StoreFailure) in count = try collect(request) }
            return count
        }
        for database in databases {
            let progress = database.progress
            guard
                let stable = progress.reports.stable(
                    among: request.roster, within: progress.complete, progress.lineage)
            else { continue }
            try database.begin()
            count += try database.collect(stable.without(shared), most: request.most - count)
        }
        return count
    }

    package func forget(_ devices: Set<DeviceIdentifier>) throws(StoreFailure) -> Bool {
        var givesUp = false
        try change { (database) throws(StoreFailure) in
            try database.forget(devices)
            if try database.abandonSnapshots(of: devices) { givesUp = true }
        }
        return givesUp
    }

    package func abandonSnapshots(of devices: Set<DeviceIdentifier>) throws(StoreFailure) -> Bool {
        var givesUp = false
        try change { (database) throws(StoreFailure) in
            if try database.abandonSnapshots(of: devices) { givesUp = true }
        }
        return givesUp
    }

    // MARK: Queries

    /// All reports that are known.
    package var reports: Reports {
        databases.reduce(into: Reports()) { $0.join($1.progress.reports) }
    }

    /// What covers all traces that were let go.
    package var dropped: VersionVector { joined(\.dropped) }

    /// How far the snapshots of a peer came.
    func snapshots(of peer: DeviceIdentifier?) throws(StoreFailure) -> [Lane: SnapshotProgress] {
        var snapshots: [Lane: SnapshotProgress] = [:]
        guard let peer else { return snapshots }
        for database in databases { snapshots[database.lane] = try database.snapshot(of: peer) }
        return snapshots
    }
}
