import BatonCore

/// The databases of an account as searches read them, with what is kept of them in memory.
///
/// It belongs to the thread of its reader.
final class SearchedStore {
    let index: LaneReader
    /// The items that are looked through in memory.
    let recent: RecentItems
    let saved: SavedActivities
    /// Scores the rows of full-text queries on the connection of the index.
    let ranking = RankFunction()
    let stop: SearchStop
    let gate: ReaderGate
    let limits: SearchLimits
    var meaning: MeaningReader
    /// Tells whether somebody still waits for the present search.
    var interest: SearchWish?

    /// Opens the databases in the folder of a store.
    init(
        folder: String, stop: SearchStop, gate: ReaderGate, limits: SearchLimits, fileSystem: String?
    ) throws(StoreFailure) {
        self.stop = stop
        self.gate = gate
        self.limits = limits
        index = try LaneReader(folder + "/index.sqlite", lane: .index, fileSystem: fileSystem)
        try index.connection.apply(.searching)
        recent = RecentItems(
            index.tables, index.records, newestMost: limits.newestItems, openedMost: limits.openedItems)
        let activities = try LaneReader(
            folder + "/activities.sqlite", lane: .activities, fileSystem: fileSystem)
        saved = SavedActivities(activities, countMost: limits.activities)
        meaning = MeaningReader(index, saved)
        unsafe index.connection.limit(by: stop)
        unsafe activities.connection.limit(by: stop)
        try unsafe index.connection.add(ranking)
    }

    /// Frees the memory of pages that can be read from the databases again.
    func releaseMemory() {
        index.connection.releaseMemory()
        saved.lane.connection.releaseMemory()
    }

    /// Runs a part of a search on one moment of the index: on the state that one transaction of the writer has left.
    func step<Value: Sendable>(
        _ body: () throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value {
        try gate.read { () throws(StoreFailure) in try index.reading(body) }
    }

    /// Begins a search, and runs it on one moment of the index.
    func search<Value: Sendable>(
        _ body: () throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value {
        try gate.read { () throws(StoreFailure) in
            stop.beginSearch()
            return try index.reading(body)
        }
    }

    /// Runs the closure; if it was ended because it took too long, the failure says so.
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
