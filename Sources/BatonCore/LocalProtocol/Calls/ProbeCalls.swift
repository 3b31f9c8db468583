// The calls by which a person finds out whether a device can be reached, and why not.

/// Lists the addresses at which the node tries to reach a device, and the source of each address.
package struct ListPlaces: AccountCall {
    package typealias Reply = PlacesReply
    package static let number = LocalCallNumber.listPlaces

    /// The name of the device, or the beginning of its identifier.
    package var device: String

    package init(_ device: String) { self.device = device }

    package func encode(to writer: inout CBORWriter) { writer.value(device) }

    package init(from reader: inout CBORReader) throws(CBORError) { device = try reader.value() }
}

/// The addresses of a device, in the order in which the node tries them.
package struct PlacesReply: SimpleReply {
    package static let kind = LocalReplyKind.places

    package var device: DeviceReference
    package var places: [KnownPlace]
    /// The open connection to the device; nil if there is none.
    package var connection: OpenConnection?

    package init(_ device: DeviceReference, _ places: [KnownPlace], connection: OpenConnection? = nil) {
        (self.device, self.places, self.connection) = (device, places, connection)
    }

    package func encode(to writer: inout CBORWriter) { writer.triple(device, places, connection) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        (device, places, connection) = try reader.triple()
    }
}

/// An address at which a device may be reached.
package struct KnownPlace: Equatable, Sendable {
    /// The address, in the form `HOST:PORT`.
    package var address: String
    package var source: AddressSource
    /// Whether a person set the address on this machine.
    ///
    /// This stays true after the device has been reached at the address.
    package var isNamed: Bool

    package init(_ address: String, _ source: AddressSource, isNamed: Bool = false) {
        (self.address, self.source, self.isNamed) = (address, source, isNamed)
    }
}

extension KnownPlace: LocalValue {
    func encode(to writer: inout CBORWriter) { writer.triple(address, source.rawValue, isNamed) }

    init(from reader: inout CBORReader) throws(CBORError) {
        let (address, source, isNamed): (String, UInt64, Bool) = try reader.triple()
        self.init(address, AddressSource(number: source), isNamed: isNamed)
    }
}

/// The open connection to a device.
package struct OpenConnection: Equatable, Sendable {
    /// The address of the other end.
    package var address: String
    /// Whether this device made the connection.
    ///
    /// If the other device made it, the connection has passed the firewall of this device.
    package var isDialled: Bool

    package init(_ address: String, isDialled: Bool) { (self.address, self.isDialled) = (address, isDialled) }
}

extension OpenConnection: LocalValue {
    func encode(to writer: inout CBORWriter) { writer.pair(address, isDialled) }

    init(from reader: inout CBORReader) throws(CBORError) {
        let (address, isDialled): (String, Bool) = try reader.pair()
        self.init(address, isDialled: isDialled)
    }
}

/// Tries one of the addresses of a device: it performs a handshake, and ends the connection before a session begins.
///
/// The call does not affect open connections. The node tries only a few addresses at the same time, and `Limits` bounds
/// the time until the answer.
package struct ProbeAddress: AccountCall {
    package typealias Reply = ProbeReply
    package static let number = LocalCallNumber.probeAddress

    /// The name of the device, or the beginning of its identifier.
    package var device: String
    /// One of the addresses that `ListPlaces` lists.
    package var address: String

    package init(_ device: String, at address: String) { (self.device, self.address) = (device, address) }

    package func encode(to writer: inout CBORWriter) { writer.pair(device, address) }

    package init(from reader: inout CBORReader) throws(CBORError) { (device, address) = try reader.pair() }
}

/// The outcomes of trying an address.
///
/// A numeric address has one outcome. A host name has one outcome for each of its addresses.
package struct ProbeReply: SimpleReply {
    package static let kind = LocalReplyKind.probe

    package var attempts: [ProbeAttempt]

    package init(_ attempts: [ProbeAttempt]) { self.attempts = attempts }

    package func encode(to writer: inout CBORWriter) { writer.value(attempts) }

    package init(from reader: inout CBORReader) throws(CBORError) { attempts = try reader.value() }
}

/// An attempt to reach a device at an address, and its outcome.
package struct ProbeAttempt: Equatable, Sendable {
    /// The address that the host name resolved to; nil if the address was numeric, or if the name has no address.
    package var resolved: String?
    package var outcome: ProbeOutcome

    package init(_ outcome: ProbeOutcome, at resolved: String? = nil) {
        (self.outcome, self.resolved) = (outcome, resolved)
    }
}

extension ProbeAttempt: LocalValue {
    func encode(to writer: inout CBORWriter) { writer.pair(resolved, outcome) }

    init(from reader: inout CBORReader) throws(CBORError) { (resolved, outcome) = try reader.pair() }
}
