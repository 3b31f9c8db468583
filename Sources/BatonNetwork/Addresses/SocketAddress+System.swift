import CLinux
import Glibc

/// Conversions to and from the C structures for addresses; no pointer to such a structure outlives a call.
extension SocketAddress {
    /// The address family.
    var family: Int32 {
        switch host {
        case .version4: AF_INET
        case .version6: AF_INET6
        }
    }

    /// Calls a closure with the address as a C structure.
    func withSystemAddress<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
        switch host {
        case .version4(let value):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = value.bigEndian
            return unsafe Self.lend(&address, to: body)
        case .version6(_, _, let interface):
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = host.sixteenBytes
            address.sin6_scope_id = interface
            return unsafe Self.lend(&address, to: body)
        }
    }

    /// Reads the address that a system call writes into a buffer; nil if it is neither an IPv4 nor an IPv6 address.
    init?(filledBy call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Void) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe call($0, &length) }
        }
        let filled = unsafe withUnsafePointer(to: storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe SocketAddress($0) }
        }
        guard let filled else { return nil }
        self = filled
    }

    /// Reads an address from a C structure; nil if it is neither an IPv4 nor an IPv6 address.
    init?(_ system: UnsafePointer<sockaddr>) { unsafe self.init(systemForm: UnsafeRawPointer(system)) }

    /// Reads an address from a C structure of any type in memory; nil if it is neither an IPv4 nor an IPv6 address.
    package init?(systemForm memory: UnsafeRawPointer) {
        switch Int32(unsafe memory.loadUnaligned(as: sockaddr.self).sa_family) {
        case AF_INET:
            let address = unsafe memory.loadUnaligned(as: sockaddr_in.self)
            self.init(
                host: .version4(UInt32(bigEndian: address.sin_addr.s_addr)),
                port: UInt16(bigEndian: address.sin_port))
        case AF_INET6:
            let address = unsafe memory.loadUnaligned(as: sockaddr_in6.self)
            self.init(
                host: Host(address.sin6_addr, interface: address.sin6_scope_id),
                port: UInt16(bigEndian: address.sin6_port))
        default:
            return nil
        }
    }

    /// Calls a closure with a pointer to a specific address structure, converted to a pointer to `sockaddr`.
    private static func lend<Address, Value>(
        _ address: inout Address, to body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}
