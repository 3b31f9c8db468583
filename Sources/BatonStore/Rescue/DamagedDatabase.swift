import BatonCore

/// A damaged database of a lane, read as far as that goes: a row that can't be read is passed over.
final class DamagedDatabase {
    private let connection: Connection

    /// Opens it; nothing if not even that is possible, or nothing of ours stands in it.
    ///
    /// The tables of a young database may stand in its journal alone, of which SQLite reads nothing from a page on that is
    /// not what was written.
    init?(path: String, fileSystem: String?) throws(StoreFailure) {
        do throws(StoreFailure) {
            connection = try Connection(path: path, fileSystem: fileSystem)
            try connection.script("PRAGMA busy_timeout = 5000; PRAGMA cache_size = -1024;")
            let count = try connection.statement("SELECT count(*) FROM sqlite_schema WHERE name = 'writes'")
                .first([]) { (row) throws(StoreFailure) in row.integer(0) }
            guard count == 1 else { return nil }
        } catch {
            guard Self.isLoss(error) else { throw error }
            return nil
        }
    }

    /// Visits the rows of a query; false if not all of them could be read.
    func rows(
        _ query: String, _ body: (borrowing Row) throws(StoreFailure) -> Void
    ) throws(StoreFailure) -> Bool {
        do throws(StoreFailure) {
            try connection.statement(query).rows([]) { (row) throws(StoreFailure) in
                try body(row)
                return true
            }
            return true
        } catch {
            guard Self.isLoss(error) else { throw error }
            return false
        }
    }

    /// The first row of a query; nothing if it can't be read or there is none.
    func first<Value>(
        _ query: String, _ values: [SQLiteValue], _ body: (borrowing Row) throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value? {
        do throws(StoreFailure) {
            return try connection.statement(query).first(values, body)
        } catch {
            guard Self.isLoss(error) else { throw error }
            return nil
        }
    }

    /// Visits rows in the order of their numbers, which are the first column, and answers with the numbers of those that
    /// could not be read, or of which the closure could make nothing.
    ///
    /// The query asks for those after a number. Where some can't be read, the next ones that can are sought, further and further on.
    func numberedRows(
        _ query: String, _ body: (borrowing Row) throws(StoreFailure) -> Void
    ) throws(StoreFailure) -> [ClosedRange<Int64>] {
        var lost: [ClosedRange<Int64>] = []
        var reached: Int64 = 0
        while true {
            do throws(StoreFailure) {
                try connection.statement(query).rows([.integer(reached)]) { (row) throws(StoreFailure) in
                    reached = row.integer(0)
                    do throws(StoreFailure) {
                        try body(row)
                    } catch {
                        guard Self.isLoss(error) else { throw error }
                        lost.append(reached...reached)
                    }
                    return true
                }
                return lost
            } catch {
                guard Self.isLoss(error) else { throw error }
            }
            guard let next = try nextReadable(query, after: reached) else {
                return lost + [reached + 1...Int64.max]
            }
            lost.append(reached + 1...next)
            reached = next
        }
    }

    /// The first place behind which a row can be read again; nothing if there is none.
    private func nextReadable(_ query: String, after place: Int64) throws(StoreFailure) -> Int64? {
        var (bad, step) = (place, Int64(1))
        // Behind the largest step there is nothing.
        while step < 1 << 60 {
            let (good, isBeyond) = place.addingReportingOverflow(step)
            guard !isBeyond else { return nil }
            if try isReadable(query, after: good) { return try bisect(query, bad: bad, good: good) }
            bad = good
            step *= 2
        }
        return nil
    }

    private func bisect(_ query: String, bad: Int64, good: Int64) throws(StoreFailure) -> Int64 {
        var (bad, good) = (bad, good)
        while good - bad > 1 {
            let middle = bad + (good - bad) / 2
            if try isReadable(query, after: middle) { good = middle } else { bad = middle }
        }
        return good
    }

    private func isReadable(_ query: String, after place: Int64) throws(StoreFailure) -> Bool {
        do throws(StoreFailure) {
            try connection.statement(query).rows([.integer(place)]) { (_) in false }
            return true
        } catch {
            guard Self.isLoss(error) else { throw error }
            return false
        }
    }

    /// Whether a failure says that something is lost, and not that the disk can't be read now.
    private static func isLoss(_ failure: StoreFailure) -> Bool { failure.code == .damaged }
}
