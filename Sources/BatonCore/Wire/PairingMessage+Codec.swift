extension PairingMessage {
    /// The maximum size of a pairing frame's body in bytes.
    ///
    /// Three certificates fit easily.
    package static let frameBytes = 16 << 10
    /// The length in bytes of a proof, of a commitment, and of the bytes that open a commitment.
    package static let proofBytes = 32
    /// The length in bytes of a content key.
    package static let contentKeyBytes = 32
    /// The length in bytes of a key share, which is an uncompressed point of P-256.
    package static let shareBytes = 65
    /// The maximum length of a certificate in bytes.
    ///
    /// Two certificates of this length fit into a roster statement.
    private static let certificateBytes = 1900

    package var frame: Frame {
        var writer = CBORWriter()
        switch self {
        case .request(let request):
            writer.map { fields in
                fields.field(1) { $0.data(request.share) }
                fields.field(2) { $0.data(request.commitment) }
            }
            return Frame(kind: .pairingRequest, body: writer.bytes)
        case .answer(let answer):
            writer.map { $0.field(1) { $0.data(answer.share) } }
            return Frame(kind: .pairingAnswer, body: writer.bytes)
        case .confirmation(let confirmation):
            writer.map { fields in
                fields.field(1) { $0.data(confirmation.proof) }
                fields.field(2) { $0.data(confirmation.opening) }
            }
            return Frame(kind: .pairingConfirmation, body: writer.bytes)
        case .welcome(let welcome):
            writer.map { fields in
                fields.field(1) { $0.data(welcome.proof) }
                fields.field(2) { $0.boolean(welcome.asksPerson) }
                fields.field(3) { $0.identifier(welcome.inviter) }
                fields.field(4) { $0.text(welcome.inviterName.prefix(fittingBytes: Limits.nameBytes)) }
                fields.field(5) { $0.integer(welcome.time.milliseconds) }
            }
            return Frame(kind: .pairingWelcome, body: writer.bytes)
        case .introduction(let introduction):
            writer.map { fields in
                fields.field(1) { $0.text(introduction.name.prefix(fittingBytes: Limits.nameBytes)) }
            }
            return Frame(kind: .pairingIntroduction, body: writer.bytes)
        case .grant(let grant):
            writer.map { fields in
                fields.field(1) { $0.data(grant.root) }
                fields.field(2) { $0.data(grant.owner) }
                fields.field(3) { $0.data(grant.device) }
                fields.field(4) { $0.data(grant.contentKey) }
            }
            return Frame(kind: .pairingGrant, body: writer.bytes)
        case .refusal(let refusal):
            writer.map { $0.field(1) { $0.unsigned(refusal.rawValue) } }
            return Frame(kind: .pairingRefusal, body: writer.bytes)
        case .joined:
            writer.map(count: 0)
            return Frame(kind: .pairingJoined, body: writer.bytes)
        }
    }

    /// Reads the message in a frame from the other side of a pairing.
    package init(_ frame: Frame) throws(CloseReason) {
        let message: PairingMessage?
        do {
            message = try CBORReader.whole(frame.body[...]) { (reader) throws(CBORError) in
                try Self.read(frame.kind, from: &reader)
            }
        } catch {
            throw CloseReason(error, in: frame.kind)
        }
        guard let message else {
            throw CloseReason(.unexpected, "\(frame.kind) does not belong in a pairing")
        }
        self = message
    }

    /// Reads the body of a frame; returns nil if frames of this kind are not used in a pairing.
    private static func read(
        _ kind: FrameKind, from reader: inout CBORReader
    ) throws(CBORError) -> PairingMessage? {
        switch kind {
        case .pairingRequest: return .request(try PairingRequest(from: &reader))
        case .pairingAnswer: return .answer(try PairingAnswer(from: &reader))
        case .pairingConfirmation: return .confirmation(try PairingConfirmation(from: &reader))
        case .pairingWelcome: return .welcome(try PairingWelcome(from: &reader))
        case .pairingIntroduction: return .introduction(try PairingIntroduction(from: &reader))
        case .pairingGrant: return .grant(try PairingGrant(from: &reader))
        case .pairingRefusal: return .refusal(try PairingRefusal(from: &reader))
        case .pairingJoined:
            try reader.fields { (_, _) throws(CBORError) in }
            return .joined
        default:
            try reader.skip()
            return nil
        }
    }

    fileprivate static func certificate(_ reader: inout CBORReader) throws(CBORError) -> [UInt8] {
        try reader.data(upTo: certificateBytes)
    }

    fileprivate static func share(_ reader: inout CBORReader) throws(CBORError) -> [UInt8] {
        try reader.data(count: shareBytes)
    }

    fileprivate static func proof(_ reader: inout CBORReader) throws(CBORError) -> [UInt8] {
        try reader.data(count: proofBytes)
    }
}

extension PairingRequest {
    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        var share: [UInt8]?, commitment: [UInt8]?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: share = try PairingMessage.share(&reader)
            case 2: commitment = try PairingMessage.proof(&reader)
            default: break
            }
        }
        self.init(
            share: try share.required(1, in: reader), commitment: try commitment.required(2, in: reader))
    }
}

extension PairingAnswer {
    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        var share: [UInt8]?
        try reader.fields { (number, reader) throws(CBORError) in
            if number == 1 { share = try PairingMessage.share(&reader) }
        }
        self.init(share: try share.required(1, in: reader))
    }
}

extension PairingConfirmation {
    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        var proof: [UInt8]?, opening: [UInt8]?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: proof = try PairingMessage.proof(&reader)
            case 2: opening = try PairingMessage.proof(&reader)
            default: break
            }
        }
        self.init(proof: try proof.required(1, in: reader), opening: try opening.required(2, in: reader))
    }
}

extension PairingWelcome {
    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        var proof: [UInt8]?, asksPerson: Bool?, inviter: DeviceIdentifier?, inviterName: String?, time: Int64?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: proof = try PairingMessage.proof(&reader)
            case 2: asksPerson = try reader.boolean()
            case 3: inviter = try reader.identifier()
            case 4: inviterName = try reader.text(upTo: Limits.nameBytes)
            case 5: time = try reader.integer()
            default: break
            }
        }
        self.init(
            proof: try proof.required(1, in: reader), asksPerson: try asksPerson.required(2, in: reader),
            inviter: try inviter.required(3, in: reader),
            inviterName: try inviterName.required(4, in: reader),
            time: WallTime(milliseconds: try time.required(5, in: reader)))
    }
}

extension PairingIntroduction {
    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        var name: String?
        try reader.fields { (number, reader) throws(CBORError) in
            if number == 1 { name = try reader.text(upTo: Limits.nameBytes) }
        }
        self.init(name: try name.required(1, in: reader))
    }
}

extension PairingGrant {
    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        var root: [UInt8]?, owner: [UInt8]?, device: [UInt8]?, contentKey: [UInt8]?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: root = try PairingMessage.certificate(&reader)
            case 2: owner = try PairingMessage.certificate(&reader)
            case 3: device = try PairingMessage.certificate(&reader)
            case 4: contentKey = try reader.data(count: PairingMessage.contentKeyBytes)
            default: break
            }
        }
        self.init(
            root: try root.required(1, in: reader), owner: try owner.required(2, in: reader),
            device: try device.required(3, in: reader),
            contentKey: try contentKey.required(4, in: reader))
    }
}

extension PairingRefusal {
    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        let start = reader.offset
        var reason: UInt64?
        try reader.fields { (number, reader) throws(CBORError) in
            if number == 1 { reason = try reader.unsigned() }
        }
        guard let refusal = PairingRefusal(rawValue: try reason.required(1, in: reader)) else {
            throw CBORError(.outOfRange, at: start)
        }
        self = refusal
    }
}
