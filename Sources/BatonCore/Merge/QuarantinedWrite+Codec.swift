extension Write {
    /// The result of reading one write of a batch.
    ///
    /// It is the write, or, if the write breaks a rule, the part of it that can be read.
    enum Reading {
        case write(Write)
        case quarantined(QuarantinedWrite)
    }

    /// Reads a write of a batch; if the write breaks a rule, returns a quarantined write.
    ///
    /// An error is thrown if the end or the dot of such a write can't be found.
    static func read(
        from reader: inout CBORReader, in batch: inout BatchReading
    ) throws(CBORError) -> Reading {
        let start = reader.position
        do throws(CBORError) {
            return .write(try Write(from: &reader, in: &batch))
        } catch {
            guard !batch.isBroken else { throw error }
            reader.position = start
            guard let bytes = try? reader.encodedAndChecked() else { throw error }
            batch.noteQuarantined()
            var head = CBORReader(bytes)
            guard let write = try? QuarantinedWrite(from: &head, in: &batch, because: error), !batch.isBroken
            else {
                throw error
            }
            return .quarantined(write)
        }
    }
}

extension QuarantinedWrite {
    /// Reads as much as possible of a write that breaks a rule; throws an error if the dot can't be read.
    fileprivate init(
        from reader: inout CBORReader, in batch: inout BatchReading, because error: CBORError
    ) throws(CBORError) {
        _ = try reader.arrayCount(upTo: .max)
        let (dot, kind) = try Write.head(from: &reader, in: &batch)
        let identity = try? RecordIdentity(of: kind, from: &reader, in: &batch)
        let target = identity.flatMap { try? Target(of: $0, from: &reader, in: &batch) }
        self.init(
            dot: dot, of: identity, target: kind.isPermanent ? nil : target,
            reason: "a record that can't be read: \(error)")
    }
}

extension RecordIdentity {
    /// Reads the name of a record, or the hash that a deletion has instead of a name.
    fileprivate init(
        of kind: RecordKind, from reader: inout CBORReader, in batch: inout BatchReading
    ) throws(CBORError) {
        if reader.nextType == .bytes {
            self.init(kind: kind, hash: try reader.identifier())
        } else {
            self = RecordKey(kind: kind, name: try batch.anyName(from: &reader)).identity
        }
    }
}

extension QuarantinedWrite.Target {
    /// Reads the stamp of the write and, for a partial write or a counter, the stamp to which its action refers.
    fileprivate init(
        of identity: RecordIdentity, from reader: inout CBORReader, in batch: inout BatchReading
    ) throws(CBORError) {
        let stamp = try Stamp(from: &reader, in: &batch)
        let start = reader.offset
        switch try reader.unsigned() {
        case Write.Action.Number.full, Write.Action.Number.deletion:
            self.init(identity: identity, incarnation: stamp)
        case Write.Action.Number.partial, Write.Action.Number.count:
            self.init(identity: identity, incarnation: try Stamp(from: &reader, in: &batch))
        default: throw CBORError(.outOfRange, at: start)
        }
    }
}

// MARK: On disk

extension QuarantinedWrite {
    /// The content of the note in which a store keeps this write; the name of the note comes from the dot.
    package var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.map { fields in
            fields.field(1) { $0.identifier(dot.origin.life) }
            fields.field(2) { $0.unsigned(UInt64(dot.origin.lane.rawValue)) }
            fields.field(3) { $0.unsigned(dot.sequence) }
            fields.field(4) { $0.unsigned(UInt64(dot.place)) }
            fields.field(5, identity) { $0.unsigned($1.kind.rawValue) }
            fields.field(6, identity) { $0.identifier($1.hash) }
            fields.field(7, target) { $0.unsigned($1.incarnation.time.value) }
            fields.field(8, target) { $0.identifier($1.incarnation.life) }
            fields.field(9) { $0.text(reason) }
            fields.field(10, peer) { $0.identifier($1) }
        }
        return writer.bytes
    }

    /// Reads the content of a store's note.
    package init(encoded bytes: [UInt8]) throws(CBORError) {
        self = try CBORReader.whole(bytes[...]) { (reader) throws(CBORError) in
            try QuarantinedWrite(from: &reader)
        }
    }

    private init(from reader: inout CBORReader) throws(CBORError) {
        var life: Life?, lane: Lane?, sequence: UInt64?, place: UInt32?, reason: String?
        var kind: UInt64?, hash: KeyHash?, time: UInt64?, stampLife: Life?, peer: DeviceIdentifier?
        try reader.fields { (field, reader) throws(CBORError) in
            switch field {
            case 1: life = try reader.identifier()
            case 2: lane = try Lane(from: &reader)
            case 3: sequence = try reader.unsigned(upTo: VersionVector.largestSequence)
            case 4: place = UInt32(try reader.unsigned(upTo: UInt64(UInt32.max)))
            case 5: kind = try reader.unsigned(upTo: RecordKind.largest)
            case 6: hash = try reader.identifier()
            case 7: time = try reader.unsigned(upTo: HybridTime.largest.value)
            case 8: stampLife = try reader.identifier()
            case 9: reason = try reader.text(upTo: CloseReason.textBytes)
            case 10: peer = try reader.identifier()
            default: break
            }
        }
        var identity: RecordIdentity?, target: Target?
        if let kind, let hash { identity = RecordIdentity(kind: RecordKind(rawValue: kind), hash: hash) }
        if let identity, let time, let stampLife {
            target = Target(
                identity: identity, incarnation: Stamp(time: HybridTime(value: time), life: stampLife))
        }
        let origin = Origin(life: try life.required(1, in: reader), lane: try lane.required(2, in: reader))
        self.init(
            dot: Dot(
                origin: origin, sequence: try sequence.required(3, in: reader),
                place: try place.required(4, in: reader)),
            of: identity, target: target, reason: try reason.required(9, in: reader), peer: peer)
    }
}
