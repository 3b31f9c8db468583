// The calls by which a person finds out whether a device can be reached, and why not.

/// Lists the addresses at which the node looks for a device, with the source of each.
package struct ListPlaces: AccountCall {
    package typealias Reply = PlacesReply
    package static let number = LocalCallNumber.listPlaces

    /// The name of the device, or the beginning of its identifier.
    package var device: String

    package init(_ device: String) { self.device = device }

    package func encode(to writer: inout CBORWriter) { writer.value(device) }

    package init(from reader: inout CBORReader) throws(CBORError) { device = try reader.value() }
}

/// The addresses of a device, in the order in which they are tried.
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
    /// `HOST:PORT`.
    package var address: String
    package var source: AddressSource
    /// Whether a person set the address on this machine, even if the device has been reached there since.
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
    /// Whether this device made the connection; otherwise the other device made it, through the firewall of this one.
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

/// Tries one of the addresses of a device, by a handshake that ends before a session begins.
///
/// Open connections are not affected. The node tries a few addresses at the same time, and answers within a time that
/// `Limits` bounds.
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

/// The outcomes at an address: one for a numeric address, and one for each address of a host name.
package struct ProbeReply: SimpleReply {
    package static let kind = LocalReplyKind.probe

    package var attempts: [ProbeAttempt]

    package init(_ attempts: [ProbeAttempt]) { self.attempts = attempts }

    package func encode(to writer: inout CBORWriter) { writer.value(attempts) }

    package init(from reader: inout CBORReader) throws(CBORError) { attempts = try reader.value() }
}

/// An attempt to reach a device at an address, and its outcome.
package struct ProbeAttempt: Equatable, Sendable {
    /// The address that a host name resolved to; nil if the address was numeric, or the name has no address.
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
