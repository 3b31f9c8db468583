extension PairingMessage {
    /// The largest body of a pairing frame: three certificates, a name and a proof.
    package static let frameBytes = 16 << 10
    /// How many bytes a proof has.
    package static let proofBytes = 32
    /// The longest certificate: two of them fit a roster statement.
    private static let certificateBytes = 1900

    package var frame: Frame {
        var writer = CBORWriter()
        switch self {
        case .request(let request):
            writer.map { fields in
                fields.field(1) { $0.text(request.name.prefix(fittingBytes: Limits.nameBytes)) }
                fields.field(2) { $0.data(request.proof) }
            }
            return Frame(kind: .pairingRequest, body: writer.bytes)
        case .grant(let grant):
            writer.map { fields in
                fields.field(1) { $0.data(grant.root) }
                fields.field(2) { $0.data(grant.owner) }
                fields.field(3) { $0.data(grant.device) }
                fields.field(4) { $0.identifier(grant.inviter) }
                fields.field(5) { $0.text(grant.inviterName.prefix(fittingBytes: Limits.nameBytes)) }
                fields.field(6) { $0.data(grant.proof) }
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

    /// The message of a frame that the other side of a pairing sent.
    package init(_ frame: Frame) throws(CloseReason) {
        let message: PairingMessage?
        do {
            message = try CBORReader.whole(frame.body[...]) { (reader) throws(CBORError) in
                try Self.read(frame.kind, from: &reader)
            }
        } catch {
            throw CloseReason(error, in: frame.kind)
        }
        guard let message else { throw CloseReason(.unexpected, "\(frame.kind) has no place in a pairing") }
        self = message
    }

    /// Reads the body of a frame; nothing if its kind has no place in a pairing.
    private static func read(
        _ kind: FrameKind, from reader: inout CBORReader
    ) throws(CBORError) -> PairingMessage? {
        switch kind {
        case .pairingRequest: return .request(try PairingRequest(from: &reader))
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

    fileprivate static func proof(_ reader: inout CBORReader) throws(CBORError) -> [UInt8] {
        try reader.data(count: proofBytes)
    }
}

extension PairingRequest {
    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        var name: String?, proof: [UInt8]?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: name = try reader.text(upTo: Limits.nameBytes)
            case 2: proof = try PairingMessage.proof(&reader)
            default: break
            }
        }
        self.init(name: try name.required(1, in: reader), proof: try proof.required(2, in: reader))
    }
}

extension PairingGrant {
    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        var root: [UInt8]?, owner: [UInt8]?, device: [UInt8]?
        var inviter: DeviceIdentifier?, inviterName: String?, proof: [UInt8]?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: root = try PairingMessage.certificate(&reader)
            case 2: owner = try PairingMessage.certificate(&reader)
            case 3: device = try PairingMessage.certificate(&reader)
            case 4: inviter = try reader.identifier()
            case 5: inviterName = try reader.text(upTo: Limits.nameBytes)
            case 6: proof = try PairingMessage.proof(&reader)
            default: break
            }
        }
        self.init(
            root: try root.required(1, in: reader), owner: try owner.required(2, in: reader),
            device: try device.required(3, in: reader), inviter: try inviter.required(4, in: reader),
            inviterName: try inviterName.required(5, in: reader), proof: try proof.required(6, in: reader))
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
