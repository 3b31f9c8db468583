import BatonCore

/// Counts the work that a query does outside SQLite.
struct QueryWork {
    let stop: SearchStop
    /// The number of bytes that were read or compared so far.
    private(set) var bytes = 0

    /// The number of bytes after which a step ends.
    static let stepBytes = 4 << 20
    /// The number of bytes that count as one call of SQLite's progress handler.
    private static let bytesAtOnce = 256 << 10

    init(stop: SearchStop) { self.stop = stop }

    /// Counts the bytes of a comparison before the comparison is made; throws if the search must end.
    mutating func count(_ further: Int) throws(StoreFailure) {
        let before = bytes / Self.bytesAtOnce
        bytes += further
        try demand(bytes / Self.bytesAtOnce - before)
    }

    /// Counts this number of calls of SQLite's progress handler; throws if the search must end.
    func demand(_ questions: Int) throws(StoreFailure) {
        guard stop.allows(questions) else { throw StoreFailure(.failed, "the search was ended") }
    }
}
