/// The outcome of trying to reach a device at an address.
///
/// The cases are in the order of the steps of an attempt: the host name, the connection, TLS, the certificates, and the
/// first message.
package enum ProbeOutcome: Equatable, Sendable {
    /// The device answered, and accepts this device.
    case reached(version: String, clockLead: Int64?)

    /// The host name has no address.
    case nameUnknown(String)
    /// The name service did not answer.
    case nameUnanswered(String)
    /// The node did not try the address, because such an address is not allowed for the device.
    ///
    /// Examples are an address of this machine, and a private address that is known only from another network.
    case notTried

    /// Nothing listens at the port.
    case refused
    /// No machine answered within this time.
    case noAnswer(milliseconds: Int64)
    /// There is no route to the address.
    case unreachable(String)
    /// This machine's own rules, such as a firewall, do not allow the connection.
    case forbidden(String)

    /// The connection was accepted, but no byte arrived within this time.
    case silent(milliseconds: Int64)
    /// The connection was accepted and then closed immediately, because the other side does not know the account or is
    /// not a node.
    case closed
    /// The other side sent an answer that is not TLS.
    case notTLS(String)
    /// The other side ended the handshake with this TLS alert.
    case alert(UInt8)
    /// The other side speaks TLS, but has no certificate of this account.
    case notOfAccount(String)
    /// The certificate of the other side is not valid yet, so one of the two clocks is wrong.
    case notYetValid(String)

    /// Another device of the account answered.
    case otherDevice(DeviceReference)
    /// This machine itself answered.
    case thisMachine
    /// The certificate of the device expired at this time.
    case expired(WallTime)
    /// The device answered, but this device does not accept it for this reason.
    case notAccepted(String)
    /// The device answered, and refused this device with this code and reason.
    case refusedByDevice(code: UInt64, String)
    /// The device proved its identity, but sent no first message within this time.
    case noGreeting(milliseconds: Int64)

    /// The attempt failed in another way.
    case failed(String)
}

extension ProbeOutcome: LocalValue {
    /// The number of a case on the wire.
    private enum Kind: UInt64 {
        case reached = 1
        case nameUnknown = 2
        case nameUnanswered = 3
        case notTried = 4
        case refused = 5
        case noAnswer = 6
        case unreachable = 7
        case forbidden = 8
        case silent = 9
        case closed = 10
        case notTLS = 11
        case alert = 12
        case notOfAccount = 13
        case notYetValid = 14
        case otherDevice = 15
        case thisMachine = 16
        case expired = 17
        case notAccepted = 18
        case refusedByDevice = 19
        case noGreeting = 20
        case failed = 21
    }

    /// The kind and the fields of a case, in the form that they have on the wire.
    private struct Fields {
        var kind: Kind
        var text: String?
        var number: Int64?
        var device: DeviceReference?

        init(_ kind: Kind, _ text: String? = nil, number: Int64? = nil, device: DeviceReference? = nil) {
            self.kind = kind
            self.text = text
            self.number = number
            self.device = device
        }
    }

    private var fields: Fields {
        switch self {
        case .reached(let version, let lead): Fields(.reached, version, number: lead)
        case .nameUnknown(let text): Fields(.nameUnknown, text)
        case .nameUnanswered(let text): Fields(.nameUnanswered, text)
        case .notTried: Fields(.notTried)
        case .refused: Fields(.refused)
        case .noAnswer(let time): Fields(.noAnswer, number: time)
        case .unreachable(let text): Fields(.unreachable, text)
        case .forbidden(let text): Fields(.forbidden, text)
        case .silent(let time): Fields(.silent, number: time)
        case .closed: Fields(.closed)
        case .notTLS(let text): Fields(.notTLS, text)
        case .alert(let number): Fields(.alert, number: Int64(number))
        case .notOfAccount(let text): Fields(.notOfAccount, text)
        case .notYetValid(let text): Fields(.notYetValid, text)
        case .otherDevice(let device): Fields(.otherDevice, device: device)
        case .thisMachine: Fields(.thisMachine)
        case .expired(let time): Fields(.expired, number: time.milliseconds)
        case .notAccepted(let text): Fields(.notAccepted, text)
        case .refusedByDevice(let code, let text):
            Fields(.refusedByDevice, text, number: Int64(clamping: code))
        case .noGreeting(let time): Fields(.noGreeting, number: time)
        case .failed(let text): Fields(.failed, text)
        }
    }

    func encode(to writer: inout CBORWriter) {
        let fields = fields
        writer.map { map in
            map.field(1) { $0.unsigned(fields.kind.rawValue) }
            map.field(2, fields.text) { $0.text($1) }
            map.field(3, fields.number) { $0.integer($1) }
            map.field(4, fields.device) { $1.encode(to: &$0) }
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        var kind: UInt64?, text: String?, number: Int64?, device: DeviceReference?
        try reader.fields { (field, reader) throws(CBORError) in
            switch field {
            case 1: kind = try reader.unsigned()
            case 2: text = try reader.text()
            case 3: number = try reader.integer()
            case 4: device = try DeviceReference(from: &reader)
            default: break
            }
        }
        let known = Kind(rawValue: try kind.required(1, in: reader))
        func words() throws(CBORError) -> String { try text.required(2, in: reader) }
        func amount() throws(CBORError) -> Int64 { try number.required(3, in: reader) }
        switch known {
        case .reached: self = .reached(version: try words(), clockLead: number)
        case .nameUnknown: self = .nameUnknown(try words())
        case .nameUnanswered: self = .nameUnanswered(try words())
        case .notTried: self = .notTried
        case .refused: self = .refused
        case .noAnswer: self = .noAnswer(milliseconds: try amount())
        case .unreachable: self = .unreachable(try words())
        case .forbidden: self = .forbidden(try words())
        case .silent: self = .silent(milliseconds: try amount())
        case .closed: self = .closed
        case .notTLS: self = .notTLS(try words())
        case .alert:
            guard let alert = UInt8(exactly: try amount()) else {
                throw CBORError(.outOfRange, at: reader.offset)
            }
            self = .alert(alert)
        case .notOfAccount: self = .notOfAccount(try words())
        case .notYetValid: self = .notYetValid(try words())
        case .otherDevice: self = .otherDevice(try device.required(4, in: reader))
        case .thisMachine: self = .thisMachine
        case .expired: self = .expired(WallTime(milliseconds: try amount()))
        case .notAccepted: self = .notAccepted(try words())
        case .refusedByDevice:
            guard let code = UInt64(exactly: try amount()) else {
                throw CBORError(.outOfRange, at: reader.offset)
            }
            self = .refusedByDevice(code: code, try words())
        case .noGreeting: self = .noGreeting(milliseconds: try amount())
        case .failed: self = .failed(try words())
        // A newer node may know more outcomes.
        case nil: self = .failed(text ?? "the attempt failed")
        }
    }
}
