import BatonCore

/// Reads as much as possible of a damaged database of a lane, and skips rows that can't be read.
///
/// Reading always ends, even if pages of different databases form an endless tree: rows are accepted only in ascending
/// order, and the work is bounded by the number of pages.
final class DamagedDatabase {
    let path: String
    private let connection: Connection
    private let limit: StepLimit
    /// The most rows that one query visits: more than the pages have room for.
    private let rowsMost: Int
    /// Whether the journal beside the database was left unread.
    let isAlone: Bool

    /// How many steps SQLite's virtual machine may make for each page: more than seventy for each row on a page.
    private static let stepsPerPage = 50_000
    /// The largest number of rows on a page.
    private static let rowsPerPage = 700

    /// Opens the database; nil if that is not possible, or it has no tables of Baton.
    ///
    /// The tables of a young database may be in its journal only, which SQLite reads up to the first damaged page.
    /// `isAlone` leaves the journal unread, because it belongs to another database.
    init?(
        path: String, fileSystem: String?, isAlone: Bool = false, watch: RescueWatch
    ) throws(StoreFailure) {
        (self.path, self.isAlone) = (path, isAlone)
        do throws(StoreFailure) {
            connection = try Connection(
                path: path, fileSystem: fileSystem, isReading: isAlone, isAlone: isAlone)
            // The file stays as it was found, because it is kept under another name.
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

    /// Reads a database of rows that were salvaged page by page from the damaged database at this path.
    init(
        _ salvaged: Connection, of path: String, isAlone: Bool, watch: RescueWatch
    ) throws(StoreFailure) {
        (self.path, self.isAlone, connection) = (path, isAlone, salvaged)
        let pages = Int(try connection.setting("page_count"))
        limit = StepLimit(watch, steps: Self.stepsPerPage * (pages + 20))
        rowsMost = Self.rowsPerPage * (pages + 1)
        connection.limit(by: limit)
    }

    /// Returns the owner of this database, if that can be read.
    func owner(else lane: Lane) throws(StoreFailure) -> (owner: LaneOwner, tag: [UInt8]?)? {
        let query = "SELECT 1 FROM pragma_table_info('progress') WHERE name = 'owner'"
        // A page of another database may stand where the tables are listed, so a table may be missing here.
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

    /// Returns what the closure makes of the first row; nil if there is no row that can be read.
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

    /// Visits rows in the order of their numbers, which are the first column; returns the numbers of the rows that
    /// could not be read, in ascending order.
    ///
    /// The parameter of the query is the number from which it starts. After a row that can't be read, the next readable
    /// row is searched for in growing steps.
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

    /// Returns the first number after an unreadable one from which rows can be read; nil if there is none.
    ///
    /// SQLite descends to the page that has a number or would have it. So the rows on the page after a damaged page can
    /// be read, from that page's first number on.
    private func nextReadable(_ query: String, behind place: Int64) throws(StoreFailure) -> Int64? {
        var (bad, step) = (place, Int64(1))
        // No row has a number that is so far away.
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

    /// Thrown if rows come in another order, or in another number, than a sound database has.
    private static let disorder = StoreFailure(.damaged, "rows are out of order")

    /// Rethrows a failure unless it means that rows are lost: the disk may be unreadable for now, or the rescue may
    /// have been stopped.
    private func demandLoss(_ failure: StoreFailure) throws(StoreFailure) {
        try limit.watch.demandGoingOn()
        guard failure.code == .damaged || limit.isExhausted else { throw failure }
    }
}
