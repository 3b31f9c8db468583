/// How far an address reaches.
extension SocketAddress.Host {
    /// True if the address means the same machine to every machine of a network.
    ///
    /// Not so are loopback, link-local, multicast, unspecified, broadcast and reserved addresses.
    package var isRoutable: Bool {
        switch self {
        case .version4(let value):
            let isLinkLocal = value >> 16 == 0xa9fe
            return !isLinkLocal && ![0, 127].contains(value >> 24) && value >> 28 < 0xe
        case .version6(let high, _, let interface):
            // The first 2⁶⁴ hold loopback, the unspecified address, and IPv4 addresses in older spellings.
            let isLinkLocal = high >> 54 == 0xfe80 >> 6 || high >> 54 == 0xfec0 >> 6
            return interface == 0 && high != 0 && !isLinkLocal && high >> 56 != 0xff && !holdsUnroutable
        }
    }

    /// True for an IPv4 address.
    package var isVersion4: Bool {
        switch self {
        case .version4: true
        case .version6: false
        }
    }

    /// True if a translator would take the address for an IPv4 address that is not routable: NAT64 and 6to4 hold one.
    private var holdsUnroutable: Bool {
        guard case .version6(let high, let low, _) = self else { return false }
        let held: UInt64
        if high == 0x0064_ff9b_0000_0000 {
            held = low
        } else if high >> 48 == 0x2002 {
            held = high >> 16
        } else {
            return false
        }
        return !SocketAddress.Host.version4(UInt32(truncatingIfNeeded: held)).isRoutable
    }
}
