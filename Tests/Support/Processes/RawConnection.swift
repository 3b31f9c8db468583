import Glibc

/// A connected socket whose calls block, for at most half a minute.
package final class RawConnection: Sendable {
    package let descriptor: Int32

    package init(owning descriptor: Int32) {
        self.descriptor = descriptor
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Connects to a port of this machine, from one of the addresses that only it can reach.
    package convenience init(port: UInt16, from source: UInt32 = 0x7f00_0001) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.init(owning: descriptor)
        var own = sockaddr_in()
        own.sin_family = sa_family_t(AF_INET)
        own.sin_addr.s_addr = source.bigEndian
        let bound = withUnsafePointer(to: own) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard bound == 0 else { throw SystemError("bind to an address") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw SystemError("connect to port \(port)") }
    }

    /// Connects to a Unix socket.
    package convenience init(unix path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.init(owning: descriptor)
        let result = try withUnixAddress(path) { connect(descriptor, $0, $1) }
        guard result == 0 else { throw SystemError("connect to \(path)") }
    }

    deinit { close(descriptor) }

    /// Returns some bytes; none at the end of the stream, nil if it broke or half a minute passed.
    package func read(upTo limit: Int = 1 << 16) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = recv(descriptor, &bytes, limit, 0)
        return count < 0 ? nil : Array(bytes.prefix(count))
    }

    /// Returns all bytes up to the end of the stream, or until it breaks; nil if the other side does not end it.
    package func readToEnd() -> [UInt8]? {
        var all: [UInt8] = []
        while true {
            guard let bytes = read() else { return errno == ECONNRESET ? all : nil }
            if bytes.isEmpty { return all }
            all += bytes
        }
    }

    /// Sends bytes; returns false if the other side is gone.
    @discardableResult package func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// Lends a path as the system's address of a Unix socket.
func withUnixAddress<Value>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) throws
    -> Value
{
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
        throw SystemError("use \(path)", number: ENAMETOOLONG)
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}
