import BatonCore

/// What devices have for good, and what is let go because all of them have it.
extension LaneDatabase {
    /// Reads what was let go, and what was reported.
    func loadLettingGo() throws(StoreFailure) {
        try connection.statement("SELECT life, sequence FROM dropped").rows([]) {
            (row) throws(StoreFailure) in
            progress.dropped.extend(
                Origin(life: try life(row.integer(0)), lane: lane), to: row.unsigned(1))
            return true
        }
        try connection.statement("SELECT device, life, sequence FROM reports").rows([]) {
            (row) throws(StoreFailure) in
            guard let device = DeviceIdentifier(bytes: row.blob(0)) else { throw damaged(.outOfRange) }
            let origin = Origin(life: try life(row.integer(1)), lane: lane)
            progress.reports.join(device, VersionVector([(origin, row.unsigned(2))]))
            return true
        }
    }

    /// Keeps what a device reported of this lane.
    func report(_ device: DeviceIdentifier, _ vector: VersionVector) throws(StoreFailure) {
        let before = progress.reports[device] ?? VersionVector()
        progress.reports.join(device, vector.restricted(to: lane), in: progress.lineage)
        guard let now = progress.reports[device] else { return }
        for (origin, _) in before.sorted where now[origin] == 0 {
            try connection.run(
                "DELETE FROM reports WHERE device = ? AND life = ?", .blob(device.bytes),
                .integer(try number(of: origin.life)))
        }
        for (origin, sequence) in now.beyond(before).sorted {
            try connection.run(
                "INSERT OR REPLACE INTO reports (device, life, sequence) VALUES (?, ?, ?)",
                .blob(device.bytes), .integer(try number(of: origin.life)), .integer(sequence))
        }
    }

    /// Lets go of so many traces that are covered, clears first; answers how many went.
    func collect(_ stable: VersionVector, most: Int) throws(StoreFailure) -> Int {
        // What is not swept or merged yet may be older than what would be let go.
        if hasPending { return 0 }
        return try atomically { () throws(StoreFailure) in
            let clears = try records(of: .clear(in: lane)).filter { $0.clear != nil }
            // A trace that a clear left bears the dot of what was cleared, which devices may have without the clear.
            let last = clears.compactMap(\.trace).filter { !stable.covers($0.dot) }.map(\.stamp.time).max()
            var numbers: [Int64] = []
            let unseen = try unseenClears(among: clears)
            for clear in clears
            where numbers.count < most && stable.covers(clear.trace) && !unseen.contains(clear.identity)
                && clear.trace?.mayBeLetGo ?? true
            {
                if let stored = try storedRecord(clear.identity) { numbers.append(stored.number) }
            }
            for (origin, sequence) in stable.sorted where numbers.count < most {
                numbers += try deletions(
                    of: origin, to: sequence, after: last, most: most - numbers.count)
            }
            var dropped = progress.dropped
            for number in numbers {
                guard let stored = try storedRecord(number: number), let trace = stored.record.trace
                else { continue }
                dropped.cover(trace.dot)
                progress.horizon = max(progress.horizon, trace.stamp.time)
                try save(stored.record.withoutTrace, over: stored, after: nil)
            }
            try drop(dropped)
            return numbers.count
        }
    }

    /// Records with a deletion of that origin.
    private func deletions(
        of origin: Origin, to sequence: UInt64, after time: HybridTime?, most: Int
    ) throws(StoreFailure) -> [Int64] {
        var numbers: [Int64] = []
        let query = """
            SELECT record FROM writes INDEXED BY writes_by_deletion
            WHERE action = 1 AND life = ? AND sequence <= ? AND time > ? AND time <= ?
            ORDER BY sequence LIMIT ?
            """
        try connection.statement(query).rows(
            [
                .integer(try number(of: origin.life)), .integer(sequence),
                .integer(time.map { Int64($0.value) } ?? -1), .integer(HybridTime.largestBelieved.value),
                .integer(Int64(most)),
            ]
        ) { (row) throws(StoreFailure) in
            numbers.append(row.integer(0))
            return true
        }
        return numbers
    }

    /// Traces that this covers were let go, here or where a snapshot came from.
    func drop(_ vector: VersionVector) throws(StoreFailure) {
        let before = progress.dropped
        progress.dropped.claim(vector)
        for (origin, sequence) in progress.dropped.beyond(before).sorted {
            try connection.run(
                "INSERT OR REPLACE INTO dropped (life, sequence) VALUES (?, ?)",
                .integer(try number(of: origin.life)), .integer(sequence))
        }
    }
}

extension VersionVector {
    fileprivate func covers(_ trace: Write?) -> Bool { trace.map { covers($0.dot) } ?? false }
}
