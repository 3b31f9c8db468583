package import BatonCore

extension SQLiteStore {
    package func range(_ request: RangeRequest) throws(StoreFailure) -> RangeAnswer {
        try database(request.lane).range(request)
    }

    package func report(
        of own: DeviceIdentifier, having known: VersionVector
    ) throws(StoreFailure) -> Reports {
        precondition(!isGrouping, "a report stands by itself")
        try group(durably: true) { () throws(StoreFailure) in
            for database in lanes {
                try database.begin()
                try database.report(own, known.meet(database.progress.complete))
            }
        }
        return reports
    }

    /// Runs a closure that commits to both lanes, so that this and all that was committed before comes to stand on the disk.
    func syncing(_ body: () throws(StoreFailure) -> Void) throws(StoreFailure) {
        for database in lanes { try database.connection.script("PRAGMA synchronous = FULL") }
        let outcome = Result { () throws(StoreFailure) in
            if doubtsSyncs { for database in lanes { try database.moveJournal() } }
            try body()
        }
        doubtsSyncs = outcome.isFailure
        for database in lanes { try database.connection.script("PRAGMA synchronous = NORMAL") }
        try outcome.get()
    }

    package func keep(_ reports: Reports) throws(StoreFailure) -> Reports {
        guard isGrouping else {
            try group { () throws(StoreFailure) in _ = try keep(reports) }
            return self.reports
        }
        var complete = activities.progress.complete
        complete.join(index.progress.complete)
        for database in lanes {
            try database.begin()
            for (device, vector) in reports.within(complete).sorted { try database.report(device, vector) }
        }
        return self.reports
    }

    package func collect(_ request: CollectRequest) throws(StoreFailure) -> Int {
        guard isGrouping else {
            var count = 0
            try group { () throws(StoreFailure) in count = try collect(request) }
            return count
        }
        var count = 0
        let shared = try sharedLives()
        for database in lanes {
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
        guard isGrouping else {
            var givesUp = false
            try group { () throws(StoreFailure) in givesUp = try forget(devices) }
            return givesUp
        }
        for database in lanes {
            try database.begin()
            try database.forget(devices)
        }
        return try abandonSnapshots(of: devices)
    }

    package func abandonSnapshots(of devices: Set<DeviceIdentifier>) throws(StoreFailure) -> Bool {
        guard isGrouping else {
            var givesUp = false
            try group { () throws(StoreFailure) in givesUp = try abandonSnapshots(of: devices) }
            return givesUp
        }
        var givesUp = false
        for database in lanes {
            try database.begin()
            if try database.abandonSnapshots(of: devices) { givesUp = true }
        }
        return givesUp
    }

    // MARK: Queries

    /// All reports that are known.
    package var reports: Reports {
        var reports = activities.progress.reports
        reports.join(index.progress.reports)
        return reports
    }

    /// What covers all traces that were let go.
    package var dropped: VersionVector {
        var dropped = activities.progress.dropped
        dropped.join(index.progress.dropped)
        return dropped
    }

    /// How far the snapshots of a peer came.
    func snapshots(of peer: DeviceIdentifier?) throws(StoreFailure) -> [Lane: SnapshotProgress] {
        var snapshots: [Lane: SnapshotProgress] = [:]
        guard let peer else { return snapshots }
        for database in lanes { snapshots[database.lane] = try database.snapshot(of: peer) }
        return snapshots
    }
}

extension Result {
    fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}
