/// The source from which a node knows an address of a device.
package enum AddressSource: UInt64, CaseIterable, Sendable {
    /// A person named it on this machine, and the device was not found there yet.
    case named = 1
    /// The device itself was reached there, or connected and said that it listens there.
    case met = 2
    /// Another device sent it.
    case told = 3
    /// The device was announced there on a local network.
    case found = 4

    /// Reads a number; a source that this version does not know counts as the least trusted.
    package init(number: UInt64) { self = AddressSource(rawValue: number) ?? .told }
}
