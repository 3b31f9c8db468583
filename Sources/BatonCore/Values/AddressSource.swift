/// The way in which a node learned an address of a device.
package enum AddressSource: UInt64, CaseIterable, Sendable {
    /// A person entered the address on this machine, and the device was not reached there yet.
    case named = 1
    /// The device was reached at the address, or it connected and said that it listens there.
    case met = 2
    /// Another device of the account sent the address.
    case told = 3
    /// A local network announced the device at the address.
    case found = 4

    /// Creates a source from its number.
    ///
    /// An unknown number counts as `told`, the least trusted source.
    package init(number: UInt64) { self = AddressSource(rawValue: number) ?? .told }
}
