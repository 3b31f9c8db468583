extension Standing {
    func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { complete.encode(to: &$0) }
            fields.field(2, snapshots[.activities]) { $1.encode(to: &$0) }
            fields.field(3, snapshots[.index]) { $1.encode(to: &$0) }
            fields.field(4, dropped.isEmpty ? nil : dropped) { $1.encode(to: &$0) }
            fields.field(5, parts) { $1.encode(to: &$0) }
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        var complete: VersionVector?, snapshots: [Lane: SnapshotProgress] = [:]
        var dropped = VersionVector(), parts: VectorPartSet?
        try reader.fields { (field, reader) throws(CBORError) in
            switch field {
            case 1: complete = try VersionVector(from: &reader)
            case 2: snapshots[.activities] = try SnapshotProgress(from: &reader)
            case 3: snapshots[.index] = try SnapshotProgress(from: &reader)
            case 4:
                let start = reader.offset
                dropped = try VersionVector(from: &reader)
                if dropped.isEmpty { throw CBORError(.outOfRange, at: start) }
            case 5: parts = try VectorPartSet(from: &reader)
            default: break
            }
        }
        self.init(
            complete: try complete.required(1, in: reader), snapshots: snapshots, dropped: dropped,
            parts: parts)
    }
}

extension Batch {
    var encoded: [UInt8] {
        let usualBytes = writes.reduce(0) { $0 + $1.byteCount }
        var (tables, body) = (BatchTables(for: writes), CBORWriter(reserving: usualBytes))
        body.array(count: writes.count)
        for write in writes { write.encode(to: &body, tables: &tables) }
        var writer = CBORWriter(reserving: body.bytes.count + 128)
        let optionalCount =
            (complete != nil ? 1 : 0) + (range != nil ? 1 : 0) + (isAhead ? 1 : 0) + (repair != nil ? 1 : 0)
        writer.map(count: 7 + optionalCount)
        writer.field(1) { $0.unsigned(number) }
        writer.field(2) { $0.unsigned(UInt64(lane.rawValue)) }
        if let complete { writer.field(3) { complete.encode(to: &$0) } }
        writer.field(4) { $0.unsigned(tables.base.value) }
        writer.field(5) { writer in
            writer.array(count: tables.lives.count)
            for life in tables.lives { writer.identifier(life) }
        }
        writer.field(6) { writer in
            writer.array(count: tables.scopes.count)
            for scope in tables.scopes { scope.encode(to: &writer) }
        }
        writer.field(7) { $0.encoded(body.bytes) }
        writer.field(8) { resume.encode(to: &$0) }
        if let range { writer.field(9) { range.encode(to: &$0) } }
        if isAhead { writer.field(10) { $0.boolean(true) } }
        if let repair { writer.field(11) { $0.boolean(repair == .last) } }
        return writer.bytes
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        var range: BatchRange?, isAhead = false, repair: RepairPlace?
        var number: UInt64?, lane: Lane?, complete: VersionVector?, base: HybridTime?
        var lives: [Life]?, scopes: [Scope]?, writes: [Write]?, resume: ResumeToken?
        var quarantined: [QuarantinedWrite] = []
        try reader.fields { (field, reader) throws(CBORError) in
            switch field {
            case 1: number = try reader.unsigned()
            case 2: lane = try Lane(from: &reader)
            case 3: complete = try VersionVector(from: &reader)
            case 4: base = HybridTime(value: try reader.unsigned(upTo: HybridTime.largest.value))
            case 5:
                // A write names at most three lives and one scope.
                lives = try reader.array(upTo: 3 * Limits.batchWrites) { (reader) throws(CBORError) in
                    try reader.identifier(Life.self)
                }
            case 6:
                scopes = try reader.array(upTo: Limits.batchWrites) { (reader) throws(CBORError) in
                    try Scope(from: &reader)
                }
            case 7:
                // The fields are read in ascending order. So the tables that the writes refer to are known here.
                var batch = BatchReading(
                    lane: try lane.required(2, in: reader), base: try base.required(4, in: reader),
                    lives: try lives.required(5, in: reader), scopes: try scopes.required(6, in: reader))
                var read: [Write] = []
                for _ in 0..<(try reader.arrayCount(upTo: Limits.batchWrites)) {
                    switch try Write.read(from: &reader, in: &batch) {
                    case .write(let write): read.append(write)
                    case .quarantined(let write): quarantined.append(write)
                    }
                }
                writes = read
                try batch.end(at: reader.offset)
            case 8: resume = try ResumeToken(from: &reader)
            case 9: range = try BatchRange(from: &reader)
            case 10: isAhead = try reader.flag()
            case 11: repair = try reader.boolean() ? .last : .more
            default: break
            }
        }
        self.init(
            number: try number.required(1, in: reader), lane: try lane.required(2, in: reader),
            writes: try writes.required(7, in: reader), complete: complete,
            resume: try resume.required(8, in: reader), range: range, repair: repair)
        (self.isAhead, self.quarantined) = (isAhead, quarantined)
    }
}

extension BatchRange {
    fileprivate func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1, after) { $1.encode(to: &$0) }
            fields.field(2, through) { $1.encode(to: &$0) }
            fields.field(3, complete) { $1.encode(to: &$0) }
            fields.field(4, dropped) { $1.encode(to: &$0) }
            fields.field(5) { $0.unsigned(horizon.value) }
            fields.field(6, isEndAhead ? true : nil) { $0.boolean($1) }
        }
    }

    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        var after: RecordIdentity?, through: RecordIdentity?
        var complete: VersionVector?, dropped: VersionVector?, horizon: HybridTime?, isEndAhead = false
        try reader.fields { (field, reader) throws(CBORError) in
            switch field {
            case 1: after = try RecordIdentity(from: &reader)
            case 2: through = try RecordIdentity(from: &reader)
            case 3: complete = try VersionVector(from: &reader)
            case 4: dropped = try VersionVector(from: &reader)
            case 5: horizon = HybridTime(value: try reader.unsigned(upTo: HybridTime.largest.value))
            case 6: isEndAhead = try reader.flag()
            default: break
            }
        }
        self.init(
            after: after, through: through, complete: complete, dropped: dropped,
            horizon: try horizon.required(5, in: reader), isEndAhead: isEndAhead)
    }
}

extension SnapshotProgress {
    fileprivate func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1, through) { $1.encode(to: &$0) }
            fields.field(2) { start.encode(to: &$0) }
            fields.field(3) { token.encode(to: &$0) }
        }
    }

    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        var through: RecordIdentity?, start: VersionVector?, token: ResumeToken?
        try reader.fields { (field, reader) throws(CBORError) in
            switch field {
            case 1: through = try RecordIdentity(from: &reader)
            case 2: start = try VersionVector(from: &reader)
            case 3: token = try ResumeToken(from: &reader)
            default: break
            }
        }
        self.init(
            through: through, start: try start.required(2, in: reader),
            token: try token.required(3, in: reader))
    }
}

extension CBORWriter {
    /// Writes a field of a map.
    ///
    /// The head of the map must have been written already.
    fileprivate mutating func field(_ number: UInt64, _ write: (inout CBORWriter) -> Void) {
        unsigned(number)
        write(&self)
    }
}
