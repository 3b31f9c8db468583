import BatonCore

/// Reads what is sent to peers: changes, ranges of snapshots, and parts of the records for a repair.
final class ChangeReader {
    private let tables: LaneTables
    private let transaction: LaneTransaction
    private let records: RecordReader
    private let claims: LaneClaims

    init(
        _ tables: LaneTables, _ transaction: LaneTransaction, _ records: RecordReader, _ claims: LaneClaims
    ) {
        (self.tables, self.transaction) = (tables, transaction)
        (self.records, self.claims) = (records, claims)
    }

    /// Returns writes that a peer lacks: first the clears, and then the other writes, in the order of their arrival.
    ///
    /// The peer need not have the deletions in `collected`, because it had nothing when they were garbage-collected.
    func changes(
        _ request: ChangesRequest, without collected: VersionVector = VersionVector()
    ) throws(StoreFailure) -> ChangesAnswer {
        let state = transaction.state
        guard request.needed.isWithin(state.claims.complete) else { return .notNow }
        var known = request.covered
        known.join(collected)
        guard state.tombstones.dropped.isWithin(known) else { return .snapshotNeeded }
        var assembly = ChangesAssembly(request)
        let clear = RecordKind.clear(in: tables.rows.lane)
        try visitClears(after: request.clearsAfter) { (place, write) in
            request.covered.covers(write.dot) || assembly.add(clear: write, at: place)
        }
        try visit(after: request.after) { (entry, decode) throws(StoreFailure) in
            if assembly.isAtEnd { return false }
            guard entry.kind != clear, assembly.wants((entry.origin, entry.sequence), at: entry.place)
            else { return true }
            guard let left = state.clears.unswept.remains(of: try decode()) else { return true }
            return assembly.add(left, at: entry.place)
        }
        var changes = assembly.changes(upTo: state.head, claiming: state.claims.complete)
        guard state.isMerging, !assembly.isAtEnd else { return .changes(changes) }
        // Some of the claimed writes exist only as staged drafts, and can't be sent yet.
        if changes.writes.isEmpty { return .notNow }
        changes.complete = nil
        return .changes(changes)
    }

    /// Visits the clears that arrived after `place`, in the order of their arrival, until the closure returns false.
    private func visitClears(
        after place: Arrival, _ body: (Arrival, Write) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        guard place < transaction.state.lastClear else { return }
        try tables.writes.visitClears(after: place, body)
    }

    /// Visits the writes that arrived after `place`, in the order of their arrival, until the closure returns false.
    private func visit(
        after place: Arrival,
        _ body: (WriteTable.Entry, _ decode: () throws(StoreFailure) -> Write) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        let state = transaction.state
        guard place < state.head else { return }
        if let recent = state.recent.writes(after: place, upTo: state.head) {
            for placed in recent {
                guard try body(WriteTable.Entry(placed), { () throws(StoreFailure) in placed.write }) else {
                    return
                }
            }
            return
        }
        try tables.writes.visit(after: place, upTo: state.lastFurther, body)
    }

    /// Returns all surviving writes of the next records of a snapshot.
    func range(_ request: RangeRequest) throws(StoreFailure) -> RangeAnswer {
        let state = transaction.state
        guard state.isWhole, !state.isMerging else { return .notNow }
        if let covered = request.covered, !state.tombstones.dropped.isWithin(covered) { return .anew }
        var clears = ClearsAhead(bytes: request.bytes)
        if let place = request.since {
            try visitClears(after: place) { (place, write) in clears.add(write, at: place) }
        }
        if let place = clears.cut { return .ahead(clears.writes, upTo: place) }
        var assembly = RangeAssembly(bytes: request.bytes, ofRecord: request.recordBytes)
        let isWhole = try tables.records.visit(after: request.after) {
            (number, identity) throws(StoreFailure) in
            guard let stored = try records.stored(number: number) else { return true }
            return assembly.add(stored.record.survivingWrites, of: identity)
        }
        return .range(
            RecordRange(
                ahead: clears.writes + assembly.ahead, writes: assembly.writes,
                through: isWhole && assembly.ahead.isEmpty ? nil : assembly.last,
                isEndAhead: !assembly.ahead.isEmpty, complete: state.claims.complete,
                dropped: state.tombstones.dropped, horizon: state.tombstones.horizon, head: state.head))
    }

    /// Returns the surviving writes of the records in one part, in the order of the records' identities.
    func part(_ request: PartRequest) throws(StoreFailure) -> RecordPart {
        var assembly = RangeAssembly(bytes: request.bytes)
        var kind = try tables.records.kind(from: request.after?.kind.rawValue ?? 0)
        var isWhole = true
        while let current = kind, isWhole {
            let after = request.after.flatMap { $0.kind.rawValue == current ? $0.hash : nil }
            isWhole = try tables.records.visit(part: request.part, ofKind: current, after: after) {
                (number, identity) throws(StoreFailure) in
                guard let stored = try records.stored(number: number) else { return true }
                return assembly.add(stored.record.survivingWrites, of: identity)
            }
            // Beyond the largest kind, the number would be negative for SQLite.
            kind = current < RecordKind.largest ? try tables.records.kind(from: current + 1) : nil
        }
        return RecordPart(assembly, isWhole: isWhole)
    }

    /// Returns the surviving writes of these devices that are not claimed or that belong to a shared life.
    ///
    /// The writes are in the order of their arrival.
    func strays(
        of devices: Set<DeviceIdentifier>, orIn shared: Set<Life>
    ) throws(StoreFailure) -> [Write] {
        var strays: [Write] = []
        // The first call after a life has become shared reads all writes. Later calls read only writes after the
        // settled place.
        let shared = shared.filter { life in devices.contains(where: life.isOf) }
        let unread = shared.subtracting(transaction.state.claims.renamed)
        let start = unread.isEmpty ? try claims.findSettled() : .none
        let complete = transaction.state.claims.complete
        try visit(after: start) { (entry, decode) throws(StoreFailure) in
            let isLost = complete[entry.origin] < entry.sequence || shared.contains(entry.origin.life)
            if isLost, devices.contains(where: entry.origin.life.isOf) { strays.append(try decode()) }
            return true
        }
        transaction.state.claims.renamed.formUnion(unread.subtracting(strays.map(\.dot.origin.life)))
        return strays
    }

    /// Returns all surviving writes as they will be once all clears are swept and all batches are merged.
    ///
    /// The writes are in the order of their arrival, and the writes of records in pending batches come last.
    func survivingWrites(_ batches: BatchMerger) throws(StoreFailure) -> [Write] {
        var writes: [Write] = []
        let state = transaction.state
        try visit(after: .none) { (_, decode) throws(StoreFailure) in
            if let left = state.clears.unswept.remains(of: try decode()) { writes.append(left) }
            return true
        }
        let pending = try batches.pendingRecords()
        writes.removeAll { pending.contains($0.identity) }
        for identity in pending.sorted() { writes += try batches.record(identity)?.survivingWrites ?? [] }
        return writes
    }
}
