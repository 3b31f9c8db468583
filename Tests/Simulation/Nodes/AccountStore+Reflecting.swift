import BatonCore
import Support

extension AccountStore {
    /// Whether a write is there, or was overwritten, deleted or cleared by what is.
    func reflects(_ write: Write) throws(StoreFailure) -> Bool {
        guard let arriving = try clears(of: write.dot.origin.lane).remains(of: write) else { return true }
        var record = try record(write.identity) ?? Record(write.identity)
        return !record.merge(arriving)
    }

    /// The clears that stand in a lane.
    func clears(of lane: Lane) throws(StoreFailure) -> Clears {
        var clears = Clears()
        for record in try records(of: .clear(in: lane)) { if let clear = record.clear { clears.add(clear) } }
        return clears
    }
}

extension InMemoryStore {
    /// Whether a write is there, or was overwritten, deleted or cleared by what is.
    func reflects(_ write: Write) -> Bool {
        guard let arriving = clears(of: write.dot.origin.lane).remains(of: write) else { return true }
        var record = record(write.identity) ?? Record(write.identity)
        return !record.merge(arriving)
    }

    /// The clears that stand in a lane.
    func clears(of lane: Lane) -> Clears {
        var clears = Clears()
        for record in records(of: .clear(in: lane)) { if let clear = record.clear { clears.add(clear) } }
        return clears
    }
}
