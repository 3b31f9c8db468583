import Foundation
import Support

/// A socket that receives datagrams, like a service manager's.
final class Datagrams {
    private let socket: Int32

    init(at path: String) throws {
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let file = socket
        let bound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0 else { throw SystemError("listen at \(path)") }
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(socket) }

    /// The next datagram, or nil if none arrives within half a minute.
    func next() -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(socket, &bytes, bytes.count, 0)
        return count >= 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }
}

/// Programs that a test can use where they are installed.
enum Tool {
    static func isThere(_ name: String) -> Bool {
        ["/usr/bin/", "/bin/", "/usr/sbin/"].contains { access($0 + name, X_OK) == 0 }
    }
}
