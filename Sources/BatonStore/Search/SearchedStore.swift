import BatonCore

/// The databases of an account that searches read, and what searches keep of them in memory.
///
/// Only the thread of its `SearchReader` may use it.
final class SearchedStore {
    let index: LaneReader
    /// The items in memory.
    let recent: RecentItems
    let saved: SavedActivities
    /// The function that scores the rows of full-text queries on the connection of the index.
    let ranking = RankFunction()
    let stop: SearchStop
    let gate: ReaderGate
    let limits: SearchLimits
    var meaning: MeaningReader
    /// The wish for the present search, which tells whether somebody still waits for its results.
    var interest: SearchWish?

    /// Opens the databases in the folder of a store.
    init(
        folder: String, stop: SearchStop, gate: ReaderGate, limits: SearchLimits, fileSystem: String?,
        cipher: (any PageCipher)?
    ) throws(StoreFailure) {
        self.stop = stop
        self.gate = gate
        self.limits = limits
        index = try LaneReader(
            folder + "/index.sqlite", lane: .index, fileSystem: fileSystem, cipher: cipher)
        try index.connection.apply(.searching)
        recent = RecentItems(
            index.tables, index.records, newestMost: limits.newestItems, openedMost: limits.openedItems)
        let activities = try LaneReader(
            folder + "/activities.sqlite", lane: .activities, fileSystem: fileSystem, cipher: cipher)
        saved = SavedActivities(activities, limits)
        meaning = MeaningReader(index, saved)
        unsafe index.connection.limit(by: stop)
        unsafe activities.connection.limit(by: stop)
        try unsafe index.connection.add(ranking)
    }

    /// Frees the memory of cached pages, which can be read from the databases again.
    func releaseMemory() {
        index.connection.releaseMemory()
        saved.lane.connection.releaseMemory()
    }

    /// Runs a part of a search in one read transaction of the index.
    func step<Value: Sendable>(
        _ body: () throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value {
        try gate.read { () throws(StoreFailure) in try index.reading(body) }
    }

    /// Begins a search, and runs it in one read transaction of the index.
    func search<Value: Sendable>(
        _ body: () throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value {
        try gate.read { () throws(StoreFailure) in
            stop.beginSearch()
            return try index.reading(body)
        }
    }

    /// Runs the closure.
    ///
    /// If the closure was ended because the search took too long, this throws a failure that tells the person so.
    func limited<Value>(
        _ body: () throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value {
        do {
            return try body()
        } catch  where stop.hasEndedSearch {
            throw StoreFailure(.failed, "the search took too long; use more words, or longer ones")
        }
    }
}
