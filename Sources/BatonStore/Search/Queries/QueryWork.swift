import BatonCore

/// The work of a query that SQLite does not do and so does not count.
struct QueryWork {
    let stop: SearchStop
    /// The bytes that were read or compared so far.
    private(set) var bytes = 0

    /// A step ends once it has done this much work, in bytes.
    static let stepBytes = 4 << 20
    /// The bytes of work that count like one call of SQLite's progress handler.
    private static let bytesAtOnce = 256 << 10

    init(stop: SearchStop) { self.stop = stop }

    /// Counts the work of a comparison before it is made; throws if the search is to end.
    mutating func count(_ further: Int) throws(StoreFailure) {
        let before = bytes / Self.bytesAtOnce
        bytes += further
        try demand(bytes / Self.bytesAtOnce - before)
    }

    /// Throws if the search is to end; counts work during which SQLite would have called its handler this many times.
    func demand(_ questions: Int) throws(StoreFailure) {
        guard stop.allows(questions) else { throw StoreFailure(.failed, "the search was ended") }
    }
}
