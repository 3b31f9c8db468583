/// What two nodes of an account say to each other over `baton/1`.
package enum PeerMessage: Equatable, Sendable {
    /// Each side's first message.
    case hello(Hello)
    /// All that a side has, where the first messages showed that the two differ.
    case vector(VersionVector)
    /// Writes that the other side lacks.
    case batch(Batch)
    /// All batches up to this number are kept.
    case acknowledgement(UInt64)
    /// Asks for the latest state of an activity, which is continued at the asker.
    case continueRequest(ContinueRequest)
    case continueAnswer(ContinueAnswer)
    /// Where other devices of the account may be found; only where to try, since nobody is trusted for an address.
    case addresses([DeviceAddresses])
    /// The last message.
    case close(CloseReason)
}

/// Who a node is and what it has, in the first message of each side.
package struct Hello: Equatable, Sendable {
    package var account: AccountIdentifier
    package var device: DeviceIdentifier
    package var name: String
    /// The digest of the sender's `complete`: equal ones need not be exchanged.
    package var completeDigest: [UInt8]
    /// Where the sender takes connections, if it does.
    package var port: UInt16?
    /// The version of the sender's program, for logs.
    package var build: String

    package init(
        account: AccountIdentifier, device: DeviceIdentifier, name: String, completeDigest: [UInt8],
        port: UInt16?, build: String
    ) {
        (self.account, self.device, self.name) = (account, device, name)
        (self.completeDigest, self.port, self.build) = (completeDigest, port, build)
    }
}

/// Writes of one lane, in the order in which they arrived at the sender.
package struct Batch: Equatable, Sendable {
    /// Counts the batches of the session and direction, from 1.
    package var number: UInt64
    package var lane: Lane
    package var writes: [Write]
    /// What the sender has of this lane, if nothing further was to be sent when these writes were read; of
    /// that, what the receiver is not known to have.
    ///
    /// The receiver may claim it too, once it holds them.
    package var complete: VersionVector?

    package init(number: UInt64, lane: Lane, writes: [Write], complete: VersionVector?) {
        (self.number, self.lane, self.writes, self.complete) = (number, lane, writes, complete)
    }
}

/// Asks the device where an activity is going on for its latest state.
package struct ContinueRequest: Equatable, Sendable {
    /// Chosen by the asker; the answer repeats it.
    package var number: UInt64
    /// The record of the activity.
    package var identity: RecordIdentity

    package init(number: UInt64, identity: RecordIdentity) {
        (self.number, self.identity) = (number, identity)
    }
}

/// The answer to one request to continue.
package struct ContinueAnswer: Equatable, Sendable {
    package var number: UInt64
    /// The fields of the activity as they are now; nothing if it is not going on any more, or if they are
    /// more than a write can hold.
    package var fields: Fields?

    package init(number: UInt64, fields: Fields?) { (self.number, self.fields) = (number, fields) }
}

extension PeerMessage {
    package var frame: Frame {
        var writer = CBORWriter()
        switch self {
        case .hello(let hello):
            hello.encode(to: &writer)
            return Frame(kind: .hello, body: writer.bytes)
        case .vector(let vector):
            vector.encode(to: &writer)
            return Frame(kind: .vector, body: writer.bytes)
        case .batch(let batch):
            return Frame(kind: .batch, body: batch.encoded)
        case .acknowledgement(let number):
            writer.unsigned(number)
            return Frame(kind: .acknowledgement, body: writer.bytes)
        case .continueRequest(let request):
            writer.array(count: 3)
            writer.unsigned(request.number)
            writer.unsigned(request.identity.kind.rawValue)
            writer.identifier(request.identity.hash)
            return Frame(kind: .continueRequest, body: writer.bytes)
        case .continueAnswer(let answer):
            writer.array(count: 2)
            writer.unsigned(answer.number)
            if let fields = answer.fields { fields.encode(to: &writer) } else { writer.null() }
            return Frame(kind: .continueAnswer, body: writer.bytes)
        case .addresses(let routes):
            writer.array(count: routes.count)
            for route in routes { route.encode(to: &writer) }
            return Frame(kind: .addresses, body: writer.bytes)
        case .close(let reason):
            return reason.frame
        }
    }

    /// The message of a frame that a peer sent.
    package init(_ frame: Frame) throws(CloseReason) {
        let message: PeerMessage?
        do {
            message = try CBORReader.whole(frame.body[...]) { (reader) throws(CBORError) in
                try Self.read(frame.kind, from: &reader)
            }
        } catch {
            throw CloseReason(error, in: frame.kind)
        }
        guard let message else { throw CloseReason(.unexpected, "\(frame.kind) is not said between nodes") }
        self = message
    }

    /// Reads the body of a frame; nothing if its kind has no place between nodes.
    private static func read(_ kind: FrameKind, from reader: inout CBORReader) throws(CBORError)
        -> PeerMessage?
    {
        switch kind {
        case .hello: return .hello(try Hello(from: &reader))
        case .vector: return .vector(try VersionVector(from: &reader))
        case .batch: return .batch(try Batch(from: &reader))
        case .acknowledgement: return .acknowledgement(try reader.unsigned())
        case .continueRequest:
            try reader.array(count: 3)
            let number = try reader.unsigned()
            let kind = RecordKind(rawValue: try reader.unsigned(upTo: UInt64(Int64.max)))
            let identity = RecordIdentity(kind: kind, hash: try reader.identifier())
            return .continueRequest(ContinueRequest(number: number, identity: identity))
        case .continueAnswer:
            try reader.array(count: 2)
            let number = try reader.unsigned()
            if reader.nextIsNull {
                try reader.null()
                return .continueAnswer(ContinueAnswer(number: number, fields: nil))
            }
            return .continueAnswer(ContinueAnswer(number: number, fields: try Fields(from: &reader)))
        case .addresses:
            return .addresses(
                try reader.array(upTo: DeviceAddresses.devicesMost) { (reader) throws(CBORError) in
                    try DeviceAddresses(from: &reader)
                })
        case .close: return .close(try CloseReason(from: &reader))
        case .localHello, .localRequest, .localAnswer, .pairing:
            try reader.skip()
            return nil
        }
    }
}

extension Hello {
    func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.identifier(account) }
            fields.field(2) { $0.identifier(device) }
            fields.field(3) { $0.text(name.prefix(fittingBytes: Limits.nameBytes)) }
            fields.field(4) { $0.data(completeDigest) }
            fields.field(5, port) { $0.unsigned(UInt64($1)) }
            fields.field(6) { $0.text(build.prefix(fittingBytes: Limits.nameBytes)) }
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        var account: AccountIdentifier?, device: DeviceIdentifier?, name: String?
        var completeDigest: [UInt8]?, port: UInt16?, build: String?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: account = try reader.identifier()
            case 2: device = try reader.identifier()
            case 3: name = try reader.text(upTo: Limits.nameBytes)
            case 4: completeDigest = try reader.data(upTo: 32)
            case 5: port = UInt16(try reader.unsigned(upTo: UInt64(UInt16.max)))
            case 6: build = try reader.text(upTo: Limits.nameBytes)
            default: break
            }
        }
        self.init(
            account: try account.required(1, in: reader), device: try device.required(2, in: reader),
            name: try name.required(3, in: reader),
            completeDigest: try completeDigest.required(4, in: reader),
            port: port, build: try build.required(6, in: reader))
    }
}

extension Batch {
    /// The array of number, lane, complete, the three tables and the writes.
    var encoded: [UInt8] {
        var (tables, body) = (BatchTables(for: writes), CBORWriter())
        body.array(count: writes.count)
        for write in writes { write.encode(to: &body, tables: &tables) }
        var writer = CBORWriter(reserving: body.bytes.count + 64)
        writer.array(count: 7)
        writer.unsigned(number)
        writer.unsigned(UInt64(lane.rawValue))
        if let complete { complete.encode(to: &writer) } else { writer.null() }
        tables.encode(to: &writer)
        writer.encoded(body.bytes)
        return writer.bytes
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 7)
        let number = try reader.unsigned()
        let lane = try Lane(from: &reader)
        var complete: VersionVector?
        if reader.nextIsNull { try reader.null() } else { complete = try VersionVector(from: &reader) }
        let tables = try BatchTables(from: &reader)
        let writes = try reader.array(upTo: Limits.batchWrites) { (reader) throws(CBORError) in
            try Write(from: &reader, lane: lane, tables: tables)
        }
        self.init(number: number, lane: lane, writes: writes, complete: complete)
    }
}
