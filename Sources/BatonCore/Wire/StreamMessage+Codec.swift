// Like every message between nodes, a stream message is a map whose keys are numbers. Field 1 is the number of the
// stream.

extension StreamMessage {
    package var frame: Frame {
        var writer = CBORWriter()
        switch word {
        case .open(let identity):
            writer.map { fields in
                fields.field(1) { $0.unsigned(number) }
                fields.field(2) { $0.unsigned(identity.kind.rawValue) }
                fields.field(3) { $0.identifier(identity.hash) }
            }
            return Frame(kind: .streamOpen, body: writer.bytes)
        case .opened: return bare(.streamOpened)
        case .refused(let refusal): return coded(refusal.rawValue, .streamRefused)
        case .data(let bytes):
            writer = CBORWriter(reserving: bytes.count + Self.dataOverhead)
            writer.map { fields in
                fields.field(1) { $0.unsigned(number) }
                fields.field(2) { $0.data(bytes) }
            }
            return Frame(kind: .streamData, body: writer.bytes)
        case .credit(let count): return coded(UInt64(count), .streamCredit)
        case .end: return bare(.streamEnd)
        case .taken: return bare(.streamTaken)
        case .abort(let reason): return coded(reason.rawValue, .streamAbort)
        }
    }

    /// The maximum number of bytes in a data frame besides the data.
    ///
    /// These are the heads of the frame and of the map, two keys, the number, and the length.
    package static let dataOverhead = 4 + 1 + 1 + 9 + 1 + 5

    private func bare(_ kind: FrameKind) -> Frame {
        var writer = CBORWriter()
        writer.map { $0.field(1) { $0.unsigned(number) } }
        return Frame(kind: kind, body: writer.bytes)
    }

    private func coded(_ value: UInt64, _ kind: FrameKind) -> Frame {
        var writer = CBORWriter()
        writer.map { fields in
            fields.field(1) { $0.unsigned(number) }
            fields.field(2) { $0.unsigned(value) }
        }
        return Frame(kind: kind, body: writer.bytes)
    }

    /// Reads the body of a frame of one of the stream kinds.
    ///
    /// The data of the message is a slice of the body, and is not copied.
    init(_ kind: FrameKind, from reader: inout CBORReader) throws(CBORError) {
        var number: UInt64?, value: UInt64?, hash: KeyHash?, bytes: ArraySlice<UInt8>?
        try reader.fields { (field, reader) throws(CBORError) in
            switch (field, kind) {
            case (1, _): number = try reader.unsigned()
            case (2, .streamOpen): value = try reader.unsigned(upTo: RecordKind.largest)
            case (2, .streamData): bytes = try reader.streamBytes()
            case (2, .streamCredit): value = try reader.unsigned(upTo: UInt64(Limits.streamCreditMost))
            case (2, .streamRefused), (2, .streamAbort): value = try reader.unsigned()
            case (3, .streamOpen): hash = try reader.identifier()
            default: break
            }
        }
        let word: Word
        switch kind {
        case .streamOpen:
            word = .open(
                RecordIdentity(
                    kind: RecordKind(rawValue: try value.required(2, in: reader)),
                    hash: try hash.required(3, in: reader)))
        case .streamOpened: word = .opened
        case .streamRefused: word = .refused(StreamRefusal(rawValue: try value.required(2, in: reader)))
        case .streamData: word = .data(try bytes.required(2, in: reader))
        case .streamCredit: word = .credit(Int(try value.required(2, in: reader)))
        case .streamEnd: word = .end
        case .streamTaken: word = .taken
        case .streamAbort: word = .abort(StreamBreak(rawValue: try value.required(2, in: reader)))
        default: preconditionFailure("\(kind) says nothing of streams")
        }
        self.init(try number.required(1, in: reader), word)
    }
}

extension FrameKind {
    /// Whether frames of this kind are messages about continuation streams between nodes.
    package var isOfStreams: Bool {
        switch self {
        case .streamOpen, .streamOpened, .streamRefused, .streamData, .streamCredit, .streamEnd, .streamTaken,
            .streamAbort:
            true
        default: false
        }
    }
}

extension CBORReader {
    /// Reads bytes of a stream as a slice, without copying them.
    ///
    /// There must be at least one byte, and at most `Limits.streamDataBytes`.
    fileprivate mutating func streamBytes() throws(CBORError) -> ArraySlice<UInt8> {
        let start = offset
        let bytes = try slice(upTo: Limits.streamDataBytes)
        guard !bytes.isEmpty else { throw CBORError(.outOfRange, at: start) }
        return bytes
    }
}
