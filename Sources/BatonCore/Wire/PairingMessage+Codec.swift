extension PairingMessage {
    /// The largest body of a pairing frame: three certificates, a name and a proof.
    package static let frameBytes = 16 << 10

    private enum Number {
        static let request: UInt64 = 1
        static let grant: UInt64 = 2
        static let refusal: UInt64 = 3
        static let joined: UInt64 = 4
    }

    package var frame: Frame {
        var writer = CBORWriter()
        switch self {
        case .request(let request):
            writer.array(count: 3)
            writer.unsigned(Number.request)
            writer.text(request.name)
            writer.data(request.proof)
        case .grant(let grant):
            writer.array(count: 7)
            writer.unsigned(Number.grant)
            for certificate in [grant.root, grant.owner, grant.device] { writer.data(certificate) }
            writer.identifier(grant.inviter)
            writer.text(grant.inviterName)
            writer.data(grant.proof)
        case .refusal(let refusal):
            writer.array(count: 2)
            writer.unsigned(Number.refusal)
            writer.unsigned(refusal.rawValue)
        case .joined:
            writer.array(count: 1)
            writer.unsigned(Number.joined)
        }
        return Frame(kind: .pairing, body: writer.bytes)
    }

    /// The message of a frame that the other side of a pairing sent.
    package init(_ frame: Frame) throws(CloseReason) {
        guard frame.kind == .pairing else {
            throw CloseReason(.unexpected, "\(frame.kind) has no place in a pairing")
        }
        do {
            self = try CBORReader.whole(frame.body[...]) { (reader) throws(CBORError) in
                try PairingMessage(from: &reader)
            }
        } catch {
            throw CloseReason(error, in: frame.kind)
        }
    }

    private init(from reader: inout CBORReader) throws(CBORError) {
        let start = reader.offset
        let count = try reader.arrayCount(upTo: 7)
        let parts: Int
        switch try reader.unsigned() {
        case Number.request:
            parts = 3
            self = .request(
                PairingRequest(
                    name: try reader.text(upTo: Limits.nameBytes), proof: try reader.data(upTo: 64)))
        case Number.grant:
            parts = 7
            self = .grant(
                PairingGrant(
                    root: try reader.data(upTo: 4096), owner: try reader.data(upTo: 4096),
                    device: try reader.data(upTo: 4096), inviter: try reader.identifier(),
                    inviterName: try reader.text(upTo: Limits.nameBytes), proof: try reader.data(upTo: 64)))
        case Number.refusal:
            parts = 2
            guard let refusal = PairingRefusal(rawValue: try reader.unsigned()) else {
                throw CBORError(.outOfRange, at: start)
            }
            self = .refusal(refusal)
        case Number.joined:
            parts = 1
            self = .joined
        default: throw CBORError(.outOfRange, at: start)
        }
        guard count == parts else { throw CBORError(.outOfRange, at: start) }
    }
}
