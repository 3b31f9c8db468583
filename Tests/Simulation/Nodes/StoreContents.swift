import BatonCore
import Support

/// The content of a store, for those who look at it from outside; looking never fails.
protocol StoreContents {
    var complete: VersionVector { get }
    var dropped: VersionVector { get }
    var reports: Reports { get }
    /// The largest hybrid time that was ever stored there.
    var clock: HybridTime { get }
    /// The latest stamp of everything that was garbage-collected in a lane.
    func horizon(of lane: Lane) -> HybridTime
    /// The surviving writes of both lanes, each in the order of arrival.
    var survivingWrites: [Write] { get }
    /// Every record that has a surviving write, in the order of identities.
    var allRecords: [Record] { get }
    func record(_ identity: RecordIdentity) -> Record?
    /// The clears that a stored client state does not contain.
    var unseenClears: Set<RecordIdentity> { get }
    /// The clears of a lane.
    func clears(of lane: Lane) -> Clears
}

extension StoreContents {
    /// Returns whether a write is there, or was overwritten, deleted or cleared by what is.
    func reflects(_ write: Write) -> Bool {
        guard let arriving = clears(of: write.dot.origin.lane).remains(of: write) else { return true }
        var record = record(write.identity) ?? Record(write.identity)
        return !record.merge(arriving)
    }
}

extension InMemoryStore: StoreContents {
    var reports: Reports { summary().reports }

    func clears(of lane: Lane) -> Clears {
        var clears = Clears()
        for record in records(of: .clear(in: lane)) { if let clear = record.clear { clears.add(clear) } }
        return clears
    }
}
