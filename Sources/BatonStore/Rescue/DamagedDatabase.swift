import BatonCore

/// Reads what can be read of a damaged database of a lane, and skips the other rows.
///
/// Reading always ends, even if pages of different databases form a tree with a cycle. Rows are accepted only in
/// ascending order, and the number of pages limits the work.
final class DamagedDatabase {
    let path: String
    private let connection: Connection
    private let limit: StepLimit
    /// The largest number of rows that one query visits, which is more than the pages can contain.
    private let rowsMost: Int
    /// Whether the journal of the database is ignored.
    let isAlone: Bool

    /// The number of steps that SQLite's virtual machine may make for each page.
    ///
    /// This allows more than seventy steps for each row on a page.
    private static let stepsPerPage = 50_000
    /// The largest number of rows on a page.
    private static let rowsPerPage = 700

    /// Opens the database.
    ///
    /// Returns nil if the database is too damaged to be opened, or if it has no tables of Baton.
    ///
    /// The tables of a new database may be only in the journal. SQLite reads the journal up to the first damaged page.
    /// If `isAlone` is true, the journal is ignored, because it belongs to another database.
    init?(
        path: String, fileSystem: String?, isAlone: Bool = false, watch: RescueWatch
    ) throws(StoreFailure) {
        (self.path, self.isAlone) = (path, isAlone)
        do throws(StoreFailure) {
            connection = try Connection(
                path: path, fileSystem: fileSystem, isReading: isAlone, isAlone: isAlone)
            // The file must not be changed, because it is kept under another name.
            try connection.keepLog(true)
            try connection.apply(.reading)
            let count = try connection.statement("SELECT count(*) FROM sqlite_schema WHERE name = 'records'")
                .first([]) { (row) throws(StoreFailure) in row.integer(0) }
            guard count == 1 else { return nil }
            let pages = Int(try connection.setting("page_count"))
            limit = StepLimit(watch, steps: Self.stepsPerPage * (pages + 20))
            rowsMost = Self.rowsPerPage * (pages + 1)
            connection.limit(by: limit)
        } catch {
            guard error.code == .damaged else { throw error }
            return nil
        }
    }

    /// Reads a temporary database with the rows that were salvaged page by page.
    ///
    /// `path` is the path of the damaged database.
    init(
        _ salvaged: Connection, of path: String, isAlone: Bool, watch: RescueWatch
    ) throws(StoreFailure) {
        (self.path, self.isAlone, connection) = (path, isAlone, salvaged)
        let pages = Int(try connection.setting("page_count"))
        limit = StepLimit(watch, steps: Self.stepsPerPage * (pages + 20))
        rowsMost = Self.rowsPerPage * (pages + 1)
        connection.limit(by: limit)
    }

    /// Returns the owner and the owner's tag in this database; nil if they can't be read.
    func owner(else lane: Lane) throws(StoreFailure) -> (owner: LaneOwner, tag: [UInt8]?)? {
        let query = "SELECT 1 FROM pragma_table_info('progress') WHERE name = 'owner'"
        // The page that lists the tables may come from another database, so any table may be missing.
        guard try first(query, [], { (_) in true }) == true else { return nil }
        do throws(StoreFailure) {
            return try LaneOwner.read(connection, else: lane).map { ($0.owner, $0.tag) }
        } catch {
            try demandLoss(error)
            return nil
        }
    }

    /// Visits the rows of a query; returns false if not all of them could be read.
    func rows(
        _ query: String, _ body: (borrowing Row) throws(StoreFailure) -> Void
    ) throws(StoreFailure) -> Bool {
        var count = 0
        do throws(StoreFailure) {
            try connection.statement(query).rows([]) { (row) throws(StoreFailure) in
                count += 1
                guard count <= rowsMost else { throw Self.disorder }
                try body(row)
                return true
            }
            return true
        } catch {
            try demandLoss(error)
            return false
        }
    }

    /// Returns the result of the closure for the first row; nil if there is no row or the row can't be read.
    func first<Value>(
        _ query: String, _ values: [SQLiteValue], _ body: (borrowing Row) throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value? {
        do throws(StoreFailure) {
            return try connection.statement(query).first(values, body)
        } catch {
            try demandLoss(error)
            return nil
        }
    }

    /// Visits rows in the order of their numbers, which are in the first column.
    ///
    /// Returns the numbers of the rows that could not be read, in ascending order.
    ///
    /// The parameter of the query is the number of the first row. If a row can't be read, the next readable row is
    /// searched in growing steps.
    func numberedRows(
        _ query: String, _ body: (borrowing Row) throws(StoreFailure) -> Void
    ) throws(StoreFailure) -> [ClosedRange<Int64>] {
        var lost: [ClosedRange<Int64>] = []
        var reached: Int64 = 0
        while reached < .max {
            do throws(StoreFailure) {
                try connection.statement(query).rows([.integer(reached + 1)]) { (row) throws(StoreFailure) in
                    guard row.integer(0) > reached else { throw Self.disorder }
                    reached = row.integer(0)
                    do throws(StoreFailure) {
                        try body(row)
                    } catch {
                        try demandLoss(error)
                        lost.append(reached...reached)
                    }
                    return true
                }
                return lost
            } catch {
                try demandLoss(error)
            }
            guard reached < .max else { return lost }
            guard !limit.isExhausted, let next = try nextReadable(query, behind: reached + 1) else {
                return lost + [reached + 1...Int64.max]
            }
            lost.append(reached + 1...next - 1)
            reached = next - 1
        }
        return lost
    }

    /// Returns the first number from which rows can be read again after an unreadable row; nil if there is none.
    ///
    /// SQLite searches for the page that has or would have a row with a given number. So the rows on the page after a
    /// damaged page can be read, if the query starts with the first number on that page.
    private func nextReadable(_ query: String, behind place: Int64) throws(StoreFailure) -> Int64? {
        var (bad, step) = (place, Int64(1))
        // The number of the next row is never farther away than this.
        while step < 1 << 60 {
            let (good, isBeyond) = place.addingReportingOverflow(step)
            guard !isBeyond else { return nil }
            if try isReadable(query, from: good) { return try bisect(query, bad: bad, good: good) }
            bad = good
            step *= 2
        }
        return nil
    }

    private func bisect(_ query: String, bad: Int64, good: Int64) throws(StoreFailure) -> Int64 {
        var (bad, good) = (bad, good)
        while good - bad > 1 {
            let middle = bad + (good - bad) / 2
            if try isReadable(query, from: middle) { good = middle } else { bad = middle }
        }
        return good
    }

    private func isReadable(_ query: String, from place: Int64) throws(StoreFailure) -> Bool {
        do throws(StoreFailure) {
            try connection.statement(query).rows([.integer(place)]) { (row) throws(StoreFailure) in
                guard row.integer(0) >= place else { throw Self.disorder }
                return false
            }
            return true
        } catch {
            try demandLoss(error)
            return false
        }
    }

    /// The failure if rows are in the wrong order, or if there are more rows than the pages can contain.
    private static let disorder = StoreFailure(.damaged, "rows are out of order")

    /// Returns if a failure means that rows are lost, and rethrows any other failure.
    ///
    /// For example, the disk may be unreadable for the moment, or the rescue may have been stopped.
    private func demandLoss(_ failure: StoreFailure) throws(StoreFailure) {
        try limit.watch.demandGoingOn()
        guard failure.code == .damaged || limit.isExhausted else { throw failure }
    }
}
