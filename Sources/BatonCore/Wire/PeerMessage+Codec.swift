// Every message is a map whose keys are numbers. So newer versions can add fields.

extension PeerMessage {
    package var frame: Frame {
        var writer = CBORWriter()
        switch self {
        case .hello(let hello):
            hello.encode(to: &writer)
            return Frame(kind: .hello, body: writer.bytes)
        case .standing(let standing):
            standing.encode(to: &writer)
            return Frame(kind: .standing, body: writer.bytes)
        case .batch(let batch):
            return Frame(kind: .batch, body: batch.encoded)
        case .acknowledgement(let number):
            writer.map { $0.field(1) { $0.unsigned(number) } }
            return Frame(kind: .acknowledgement, body: writer.bytes)
        case .continueRequest(let request):
            request.encode(to: &writer)
            return Frame(kind: .continueRequest, body: writer.bytes)
        case .continueAnswer(let answer):
            answer.encode(to: &writer)
            return Frame(kind: .continueAnswer, body: writer.bytes)
        case .addresses(let routes):
            writer.map {
                $0.field(1) { writer in
                    writer.array(count: routes.count)
                    for route in routes { route.encode(to: &writer) }
                }
            }
            return Frame(kind: .addresses, body: writer.bytes)
        case .reports(let reports):
            writer.map { $0.field(1) { reports.encode(to: &$0) } }
            return Frame(kind: .reports, body: writer.bytes)
        case .check(let check):
            check.encode(to: &writer)
            return Frame(kind: .check, body: writer.bytes)
        case .sums(let sums):
            sums.encode(to: &writer)
            return Frame(kind: .sums, body: writer.bytes)
        case .ping(let number):
            writer.map { $0.field(1) { $0.unsigned(number) } }
            return Frame(kind: .ping, body: writer.bytes)
        case .pong(let number):
            writer.map { $0.field(1) { $0.unsigned(number) } }
            return Frame(kind: .pong, body: writer.bytes)
        case .stream(let message):
            return message.frame
        case .close(let reason):
            return reason.frame
        }
    }

    /// Reads the message in a frame from a peer.
    package init(_ frame: Frame) throws(CloseReason) {
        let message: PeerMessage?
        do {
            message = try CBORReader.whole(frame.body[...]) { (reader) throws(CBORError) in
                try Self.read(frame.kind, from: &reader)
            }
        } catch {
            throw CloseReason(error, in: frame.kind)
        }
        guard let message else {
            throw CloseReason(.unexpected, "\(frame.kind) does not belong between nodes")
        }
        self = message
    }

    /// Reads the body of a frame; returns nil if frames of this kind are not used between nodes.
    private static func read(_ kind: FrameKind, from reader: inout CBORReader) throws(CBORError)
        -> PeerMessage?
    {
        switch kind {
        case .hello: return .hello(try Hello(from: &reader))
        case .standing: return .standing(try Standing(from: &reader))
        case .batch: return .batch(try Batch(from: &reader))
        case .acknowledgement:
            return .acknowledgement(
                try reader.onlyField { (reader) throws(CBORError) in try reader.unsigned() })
        case .continueRequest: return .continueRequest(try ContinueRequest(from: &reader))
        case .continueAnswer: return .continueAnswer(try ContinueAnswer(from: &reader))
        case .addresses:
            return .addresses(
                try reader.onlyField { (reader) throws(CBORError) in
                    try reader.array(upTo: Limits.toldDevices) { (reader) throws(CBORError) in
                        try DeviceAddresses(from: &reader)
                    }
                })
        case .reports:
            return .reports(
                try reader.onlyField { (reader) throws(CBORError) in try Reports(from: &reader) })
        case .check: return .check(try StateCheck(from: &reader))
        case .sums: return .sums(try LaneSums(from: &reader))
        case .ping:
            return .ping(try reader.onlyField { (reader) throws(CBORError) in try reader.unsigned() })
        case .pong:
            return .pong(try reader.onlyField { (reader) throws(CBORError) in try reader.unsigned() })
        case .streamOpen, .streamOpened, .streamRefused, .streamData, .streamCredit, .streamEnd, .streamTaken,
            .streamAbort:
            return .stream(try StreamMessage(kind, from: &reader))
        case .close: return .close(try CloseReason(from: &reader))
        case .localHello, .localRequest, .localAnswer, .localStreamData, .localStreamEnd, .localStreamTaken,
            .localStreamAbort, .pairingRequest, .pairingGrant, .pairingRefusal,
            .pairingJoined, .pairingAnswer, .pairingConfirmation, .pairingWelcome,
            .pairingIntroduction:
            try reader.skip()
            return nil
        }
    }
}

extension Hello {
    fileprivate func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.identifier(account) }
            fields.field(2) { $0.identifier(device) }
            fields.field(3) { $0.text(name.prefix(fittingBytes: Limits.nameBytes)) }
            fields.field(4) { $0.data(completeDigest) }
            fields.field(5, port) { $0.unsigned(UInt64($1)) }
            fields.field(6) { $0.text(build.prefix(fittingBytes: Limits.nameBytes)) }
            fields.field(7, features.isEmpty ? nil : features) { $1.encode(to: &$0) }
            fields.field(8, reportsDigest) { $0.data($1) }
            fields.field(9, parts) { $1.encode(to: &$0) }
            fields.field(10, state) { $0.data($1.bytes) }
            fields.field(11, resume[.activities]) { $1.encode(to: &$0) }
            fields.field(12, resume[.index]) { $1.encode(to: &$0) }
            fields.field(13, compared) { $1.encode(to: &$0) }
            fields.field(14, clock) { $1.encode(to: &$0) }
        }
    }

    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        var account: AccountIdentifier?, device: DeviceIdentifier?, name: String?
        var completeDigest: [UInt8]?, port: UInt16?, build: String?, features = Features()
        var reportsDigest: [UInt8]?, parts: VectorParts?, state: StateDigest?
        var compared: WallTime?, clock: WallTime?
        var resume: [Lane: ResumeToken] = [:]
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: account = try reader.identifier()
            case 2: device = try reader.identifier()
            case 3: name = try reader.text(upTo: Limits.nameBytes)
            case 4: completeDigest = try reader.data(count: VersionVector.digestBytes)
            case 5: port = UInt16(try reader.unsigned(upTo: UInt64(UInt16.max)))
            case 6: build = try reader.text(upTo: Limits.nameBytes)
            case 7: features = try Features(from: &reader)
            case 8: reportsDigest = try reader.data(count: VersionVector.digestBytes)
            case 9: parts = try VectorParts(from: &reader)
            case 10: state = try reader.stateDigest()
            case 11: resume[.activities] = try ResumeToken(from: &reader)
            case 12: resume[.index] = try ResumeToken(from: &reader)
            case 13: compared = try WallTime(from: &reader)
            case 14: clock = try WallTime(from: &reader)
            default: break
            }
        }
        self.init(
            account: try account.required(1, in: reader), device: try device.required(2, in: reader),
            name: try name.required(3, in: reader),
            completeDigest: try completeDigest.required(4, in: reader),
            port: port, build: try build.required(6, in: reader), features: features,
            reportsDigest: reportsDigest, parts: parts, compared: compared, state: state)
        self.clock = clock
        self.resume = resume
    }
}

extension ContinueRequest {
    fileprivate func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.unsigned(number) }
            fields.field(2) { $0.unsigned(identity.kind.rawValue) }
            fields.field(3) { $0.identifier(identity.hash) }
            fields.flag(4, takes)
            fields.field(5, step.encoded) { $0.unsigned($1) }
            fields.field(6, type) { $0.text($1) }
        }
    }

    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        var number: UInt64?, kind: UInt64?, hash: KeyHash?, takes = false, step = ContinuationStep.whole
        var type: String?
        try reader.fields { (field, reader) throws(CBORError) in
            switch field {
            case 1: number = try reader.unsigned()
            case 2: kind = try reader.unsigned(upTo: RecordKind.largest)
            case 3: hash = try reader.identifier()
            case 4: takes = try reader.flag()
            case 5: step = try ContinuationStep(from: &reader)
            case 6: type = try reader.text()
            default: break
            }
        }
        let identity = RecordIdentity(
            kind: RecordKind(rawValue: try kind.required(2, in: reader)),
            hash: try hash.required(3, in: reader))
        self.init(
            number: try number.required(1, in: reader), identity: identity, takes: takes, step: step,
            type: type)
    }
}

extension ContinuationStep {
    /// The value of the field; nil if the message has no such field.
    var encoded: UInt64? { self == .whole ? nil : rawValue }

    init(from reader: inout CBORReader) throws(CBORError) {
        let start = reader.offset
        guard let step = Self(rawValue: try reader.unsigned()) else {
            throw CBORError(.outOfRange, at: start)
        }
        self = step
    }
}

extension ContinueAnswer {
    /// The numbers of the reasons for an answer without fields.
    private enum Reason {
        static let gone: UInt64 = 1
        static let tooLarge: UInt64 = 2
    }

    fileprivate func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.unsigned(number) }
            switch outcome {
            case .fields(let content, let isSaved):
                fields.field(2) { content.encode(to: &$0) }
                fields.flag(4, isSaved)
            case .gone(let device):
                fields.field(3) { $0.unsigned(Reason.gone) }
                fields.field(5, device) { $0.identifier($1) }
            case .unavailable: fields.field(3) { $0.unsigned(Reason.tooLarge) }
            }
        }
    }

    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        var number: UInt64?, content: Fields?, reason: UInt64?
        var (isSaved, device): (Bool, DeviceIdentifier?) = (false, nil)
        try reader.fields { (field, reader) throws(CBORError) in
            switch field {
            case 1: number = try reader.unsigned()
            case 2: content = try Fields(from: &reader)
            case 3: reason = try reader.unsigned()
            case 4: isSaved = try reader.flag()
            case 5: device = try reader.identifier()
            default: break
            }
        }
        let outcome: Outcome
        if let content {
            outcome = .fields(content, isSaved: isSaved)
        } else {
            outcome = try reason.required(3, in: reader) == Reason.gone ? .gone(to: device) : .unavailable
        }
        self.init(number: try number.required(1, in: reader), outcome: outcome)
    }
}

extension CBORReader {
    /// Reads the value of field 1, which is the message's only known field.
    fileprivate mutating func onlyField<Value>(
        _ read: (inout CBORReader) throws(CBORError) -> Value
    ) throws(CBORError) -> Value {
        var value: Value?
        try fields { (number, reader) throws(CBORError) in
            if number == 1 { value = try read(&reader) }
        }
        return try value.required(1, in: self)
    }
}
