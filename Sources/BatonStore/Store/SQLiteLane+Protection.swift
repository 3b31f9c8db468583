package import BatonCore

/// The changes of protected indexes in a lane, which are read to open them for searches.
package enum ProtectedChanges: Sendable {
    case changes(Part)
    /// Nothing can be read until more is stored.
    case notNow
    /// The reader must begin with nothing.
    ///
    /// The lane was replaced or rescued, or tombstones were collected that the reader lacks.
    case anew

    /// A part of the changes.
    package struct Part: Sendable {
        /// The writes of items in protected indexes, of clears, and of counts of openings.
        package var writes: [Write]
        /// The place from which the next part is read.
        package var next: ResumeToken
        /// The claims of the lane; nil if there are more changes.
        package var complete: VersionVector?
        /// The time up to which the lane has swept expired records.
        package var swept: WallTime
        /// The deletions that were garbage-collected so far.
        package var collected: VersionVector
    }
}

extension SQLiteLane {
    /// Returns changes of protected indexes that came after an earlier part, about `bytes` bytes at once.
    ///
    /// `covered` has the claims of the reader. `collected` has the deletions that were garbage-collected when the reader
    /// began with nothing; it does not matter without a place.
    package func protectedChanges(
        after place: ResumeToken?, covered: VersionVector, collected: VersionVector, bytes: Int
    ) throws(StoreFailure) -> ProtectedChanges {
        demandOwn(.index)
        let (order, complete) = (database.state.order, database.state.claims.complete)
        let dropped = database.state.tombstones.dropped
        let cursor = place.map { $0.cursor(in: order) } ?? Cursor(writes: .none, clears: .none)
        guard let cursor, covered.isWithin(complete) else { return .anew }
        let request = ChangesRequest(
            lane: lane, after: cursor.writes, clearsAfter: cursor.clears, covered: covered, bytes: bytes)
        switch try database.changes.changes(request, without: place == nil ? dropped : collected) {
        case .changes(let changes):
            let next = Cursor(writes: changes.next, clears: changes.clears)
            return .changes(
                ProtectedChanges.Part(
                    writes: changes.writes.filter(\.mayBeProtected), next: ResumeToken(next, in: order),
                    complete: changes.complete, swept: database.state.swept, collected: dropped))
        case .notNow: return .notNow
        case .snapshotNeeded: return .anew
        }
    }

    /// Whether any index of any app has items and is protected.
    package func hasProtectedItems() throws(StoreFailure) -> Bool {
        try database.tables.hasProtectedItems()
    }
}

extension LaneTables {
    /// Whether a protected index has items.
    ///
    /// It looks at one scope of each index of each app.
    fileprivate func hasProtectedItems() throws(StoreFailure) -> Bool {
        let candidates = CandidateTable(rows: rows)
        var place: [UInt8] = []
        while let found = try candidates.scope(from: place, before: [0xff]) {
            let scope = try rows.scope(found)
            guard scope.count >= 3, let index = scope.outward([3]).first else {
                // A zero byte after the scope gives the smallest encoding that sorts after it.
                place = found + [0]
                continue
            }
            if index.parts[1] == "items", IndexProtection(ofIndex: index.parts[2]) != nil { return true }
            place = WriteTable.end(of: index)
        }
        return false
    }
}

extension Write {
    /// Whether the write is one of a protected index, or one that may concern its items.
    ///
    /// The name of a deleted item is not known.
    fileprivate var mayBeProtected: Bool {
        switch identity.kind {
        case .indexClear, .engagement: return true
        case .item:
            guard let name else { return true }
            do throws(CBORError) {
                return try ItemName(RecordKey(identity, name: name)).isProtected
            } catch {
                return false
            }
        default: return false
        }
    }
}
