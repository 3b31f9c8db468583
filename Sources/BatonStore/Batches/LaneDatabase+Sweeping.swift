import BatonCore

/// A clear of which not all that it ends was looked for yet.
struct Sweep: Equatable {
    let clear: Clear
    /// Behind which write the search goes on, in the order of scopes and places.
    var after: (scope: [UInt8], arrival: Int64)

    static func == (left: Self, right: Self) -> Bool {
        left.clear == right.clear && left.after == right.after
    }
}

/// What clears leave of records: few at once, many in small steps, so that a clear of anything takes no time.
///
/// Until all is swept, a record is read as what the clears leave of it (`LaneProgress.unswept`).
extension LaneDatabase {
    /// Ends what a clear ends.
    func sweep(_ clear: Clear, changed: inout [RecordIdentity: Record]) throws(StoreFailure) {
        // An earlier clear of the same scope is a part of this one.
        try endSweep(of: clear.scope)
        let sweep = Sweep(clear: clear, after: (clear.scope.encoded, -1))
        let (numbers, last) = try records(in: sweep.clear.scope, after: sweep.after, most: recordsAtOnce + 1)
        if last == nil {
            try sweepRecords(numbers, by: [clear], changed: &changed)
        } else {
            try keep(sweep)
        }
    }

    /// Goes on with the first clear that has not come to its end, so many records at the most.
    func goOnSweeping(most: Int, changed: inout [RecordIdentity: Record]) throws(StoreFailure) {
        guard var sweep = progress.sweeps.first else { return }
        let (numbers, last) = try records(in: sweep.clear.scope, after: sweep.after, most: most)
        try sweepRecords(numbers, by: progress.sweeps.map(\.clear), changed: &changed)
        if let last {
            sweep.after = last
            try keep(sweep)
        } else {
            try endSweep(of: sweep.clear.scope)
        }
    }

    /// Sweeps all that a clear has left, because the clear itself goes.
    func finishSweep(of clear: Clear) throws(StoreFailure) {
        var changed: [RecordIdentity: Record] = [:]
        while let place = progress.sweeps.firstIndex(where: { $0.clear == clear }) {
            progress.sweeps.swapAt(0, place)
            try goOnSweeping(most: recordsAtOnce + 1, changed: &changed)
            changed = [:]
        }
    }

    private func sweepRecords(
        _ numbers: [Int64], by clears: [Clear], changed: inout [RecordIdentity: Record]
    ) throws(StoreFailure) {
        for number in numbers {
            guard let stored = try storedRecord(number: number) else { continue }
            var record = stored.record
            var isChanged = record != stored.raw
            for clear in clears where record.clear(clear) { isChanged = true }
            guard isChanged else { continue }
            try save(record, over: stored, after: nil)
            changed[record.identity] = record
        }
    }

    /// Numbers of records with writes in a scope, a number for each write, and the last write if there may be more.
    func records(
        in scope: Scope, after: (scope: [UInt8], arrival: Int64), most: Int
    ) throws(StoreFailure) -> (numbers: [Int64], last: ([UInt8], Int64)?) {
        var numbers: [Int64] = []
        var last: ([UInt8], Int64)?
        // Texts are told apart by their first bytes, none of which is 0xff: that ends the range.
        try connection.statement(
            """
            SELECT record, scope, arrival FROM writes WHERE (scope, arrival) > (?, ?) AND scope < ?
            ORDER BY scope, arrival LIMIT ?
            """
        ).rows(
            [
                .blob(after.scope), .integer(after.arrival),
                .blob(scope.encoded + [0xff]), .integer(Int64(most)),
            ]
        ) { (row) throws(StoreFailure) in
            numbers.append(row.integer(0))
            if numbers.count == most { last = (row.blob(1), row.integer(2)) }
            return true
        }
        return (numbers, last)
    }

    /// How many writes in the scope of a clear are still to be looked at.
    func count(to sweep: Sweep, most: Int) throws(StoreFailure) -> Int {
        let query = """
            SELECT count(*) FROM
                (SELECT 1 FROM writes WHERE (scope, arrival) > (?, ?) AND scope < ? LIMIT ?)
            """
        return try connection.statement(query).first(
            [
                .blob(sweep.after.scope), .integer(sweep.after.arrival),
                .blob(sweep.clear.scope.encoded + [0xff]), .integer(Int64(most)),
            ]
        ) { (row) throws(StoreFailure) in Int(row.integer(0)) } ?? 0
    }

    // MARK: Rows

    private func keep(_ sweep: Sweep) throws(StoreFailure) {
        try connection.run(
            """
            INSERT OR REPLACE INTO sweeps (scope, time, time_life, after_scope, after_arrival)
            VALUES (?, ?, ?, ?, ?)
            """,
            .blob(sweep.clear.scope.encoded), .integer(sweep.clear.stamp.time.value),
            .integer(try number(of: sweep.clear.stamp.life)), .blob(sweep.after.scope),
            .integer(sweep.after.arrival))
        if let place = progress.sweeps.firstIndex(where: { $0.clear.scope == sweep.clear.scope }) {
            progress.sweeps[place] = sweep
        } else {
            progress.sweeps.append(sweep)
        }
        noteUnswept()
    }

    private func endSweep(of scope: Scope) throws(StoreFailure) {
        guard let place = progress.sweeps.firstIndex(where: { $0.clear.scope == scope }) else { return }
        try connection.run("DELETE FROM sweeps WHERE scope = ?", .blob(scope.encoded))
        progress.sweeps.remove(at: place)
        noteUnswept()
    }

    private func noteUnswept() {
        progress.unswept = Clears()
        for sweep in progress.sweeps { progress.unswept.add(sweep.clear) }
    }

    /// Reads which clears have not come to their end.
    func loadSweeps() throws(StoreFailure) {
        progress.sweeps = []
        try connection.statement("SELECT scope, time, time_life, after_scope, after_arrival FROM sweeps")
            .rows([]
            ) { (row) throws(StoreFailure) in
                let stamp = Stamp(
                    time: HybridTime(value: row.unsigned(1)), life: try life(row.integer(2)))
                let clear = Clear(scope: try scope(row.blob(0)), stamp: stamp)
                progress.sweeps.append(Sweep(clear: clear, after: (row.blob(3), row.integer(4))))
                return true
            }
        noteUnswept()
    }
}
