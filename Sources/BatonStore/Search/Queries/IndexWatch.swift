import BatonCore

/// Notices whether the writer has changed the index between the steps of a search.
struct IndexWatch {
    /// Whether the index, or what may be shown of it, has changed since the search began.
    var hasChanged = false
    /// The version of the index that was read last; nil before the first step.
    private var version: Int64?
    /// Whether some items were not merged yet when the search began; nil before the first step.
    private var wasMerging: Bool?
    /// A cache of whether some items are not merged yet, and the version of the index for which this was read.
    private var merging: (version: Int64?, isMerging: Bool)?

    /// Reads whether the writer has changed the index since the last step.
    mutating func readVersion(of index: LaneReader) {
        if let version, version != index.version { hasChanged = true }
        version = index.version
    }

    /// Reads whether some items are not merged yet; returns true if this is the first step of the search.
    mutating func readMerging(of index: LaneReader) throws(StoreFailure) -> Bool {
        let isMerging = try isMerging(in: index)
        guard wasMerging == nil else { return false }
        wasMerging = isMerging
        return true
    }

    /// Whether some items are not merged now, or were not merged when the search began.
    mutating func hasUnmerged(in index: LaneReader) throws(StoreFailure) -> Bool {
        try isMerging(in: index) || wasMerging == true
    }

    private mutating func isMerging(in index: LaneReader) throws(StoreFailure) -> Bool {
        if let merging, merging.version == index.version { return merging.isMerging }
        let isMerging = try index.tables.batches.isMerging()
        merging = (index.version, isMerging)
        return isMerging
    }
}
