import CLinux
import Glibc

/// Reads and writes netlink messages, by which the kernel reports interfaces, addresses and routes.
enum Netlink {
    /// The size of `struct nlmsghdr`, which is part of the kernel's interface.
    private static let headerCount = 16

    /// Calls a closure for each message of a datagram, with the kind and the body of the message.
    static func forEachMessage(in datagram: ArraySlice<UInt8>, _ body: (Int, ArraySlice<UInt8>) -> Void) {
        var rest = datagram
        while rest.count >= headerCount {
            let length = Int(rest.number(UInt32.self, at: 0))
            guard length >= headerCount, length <= rest.count else { return }
            body(Int(rest.number(UInt16.self, at: 4)), rest.prefix(length).dropFirst(headerCount))
            rest = rest.dropFirst((length + 3) & ~3)
        }
    }

    /// Returns the value of an attribute; nil if there is no such attribute.
    static func attribute(_ kind: Int, of attributes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = attributes
        while rest.count >= 4 {
            let length = Int(rest.number(UInt16.self, at: 0))
            guard length >= 4, length <= rest.count else { return nil }
            // The two highest bits are flags that describe the format of the value.
            if Int(rest.number(UInt16.self, at: 2) & 0x3fff) == kind {
                return rest.prefix(length).dropFirst(4)
            }
            rest = rest.dropFirst((length + 3) & ~3)
        }
        return nil
    }

    /// Opens a netlink socket for messages about addresses, routes and interfaces.
    static func open(flags: Int32, for operation: String) throws(NetworkError) -> FileDescriptor {
        let kind = Int32(SOCK_RAW.rawValue) | flags
        return FileDescriptor(
            owning: try SystemCall.run(operation) { Glibc.socket(AF_NETLINK, kind, NETLINK_ROUTE) })
    }

    /// Asks the kernel for all entries of a kind, and calls a closure with the body of each message of the answer.
    ///
    /// The body of the request is a structure of the kernel in which all bytes are zero; this asks for all entries. The
    /// kernel answers without waiting for anything.
    static func list(
        _ request: Int, zeros count: Int, answer kind: Int, for operation: String,
        _ body: (ArraySlice<UInt8>) -> Void
    ) throws(NetworkError) {
        let socket = try open(flags: Int32(SOCK_CLOEXEC.rawValue), for: operation)
        let file = socket.number
        var message = [UInt8](repeating: 0, count: headerCount + count)
        message.write(UInt32(message.count), at: 0)
        message.write(UInt16(request), at: 4)
        message.write(UInt16(NLM_F_REQUEST | NLM_F_DUMP), at: 6)
        try SystemCall.run(operation) { unsafe send(file, &message, message.count, 0) }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var end: Int32?
        while end == nil {
            let count = try SystemCall.run(operation) { unsafe recv(file, &buffer, buffer.count, 0) }
            guard count > 0 else { throw NetworkError(number: EIO, operation: operation) }
            forEachMessage(in: buffer.prefix(count)) { found, rest in
                switch found {
                case kind: body(rest)
                case Int(NLMSG_DONE): end = 0
                case Int(NLMSG_ERROR): end = rest.count < 4 ? -EIO : rest.number(Int32.self, at: 0)
                default: break
                }
            }
        }
        if let end, end < 0 { throw NetworkError(number: -end, operation: operation) }
    }
}

extension ArraySlice<UInt8> {
    /// Reads a number in this machine's byte order, at an offset from the start.
    func number<Value: FixedWidthInteger>(_: Value.Type, at distance: Int) -> Value {
        unsafe withUnsafeBytes { bytes in unsafe bytes.loadUnaligned(fromByteOffset: distance, as: Value.self)
        }
    }
}

extension [UInt8] {
    /// Writes a number in this machine's byte order over the bytes at an offset.
    fileprivate mutating func write(_ value: some FixedWidthInteger, at distance: Int) {
        unsafe withUnsafeMutableBytes {
            unsafe $0.storeBytes(of: value, toByteOffset: distance, as: type(of: value))
        }
    }
}
