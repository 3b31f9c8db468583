import Glibc

/// A listening socket at which a test plays the other side, on a thread of its own.
package final class Listening: Sendable {
    private let socket: Int32
    /// The port, if it is a TCP socket.
    package let port: UInt16

    /// Listens at a path, and makes its folder.
    package init(atUnix path: String) throws {
        port = 0
        let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
        mkdir(String(folder), 0o700)
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let file = socket
        guard try withUnixAddress(path, { bind(file, $0, $1) }) == 0, Glibc.listen(file, 64) == 0 else {
            throw SystemError("listen at \(path)")
        }
    }

    /// Listens at a port of this machine alone, which the system chooses if none is given.
    package init(at place: UInt32 = 0x7f00_0001, _ number: UInt16 = 0) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = place.bigEndian
        address.sin_port = number.bigEndian
        let file = socket
        let bound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard bound == 0, Glibc.listen(file, 64) == 0 else { throw SystemError("listen") }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(file, $0, &length) }
        }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        // A thread that accepts holds a descriptor of its own, which this wakes.
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
    }

    /// A duplicate of the socket's descriptor, which the caller must close.
    package var copy: Int32 { fcntl(socket, F_DUPFD_CLOEXEC, 3) }

    /// Accepts the next connection; returns nil once the socket no longer listens.
    package func accept() -> RawConnection? {
        let connection = Glibc.accept(socket, nil, nil)
        guard connection >= 0 else { return nil }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        return RawConnection(owning: connection)
    }

    /// Serves each connection in turn until this object is deallocated; after that the socket is closed.
    package func serve(_ body: @escaping @Sendable (RawConnection) -> Void) {
        let copy = fcntl(socket, F_DUPFD_CLOEXEC, 3)
        detach {
            while true {
                let connection = Glibc.accept(copy, nil, nil)
                guard connection >= 0 else { break }
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                body(RawConnection(owning: connection))
            }
            close(copy)
        }
    }
}

/// Runs a closure on a thread of its own, which is never joined.
package func detach(_ body: @escaping @Sendable () -> Void) {
    final class Start: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let code = pthread_create(
        &thread, nil,
        { raw in
            guard let raw else { return nil }
            Unmanaged<Start>.fromOpaque(raw).takeRetainedValue().body()
            return nil
        }, Unmanaged.passRetained(Start(body)).toOpaque())
    precondition(code == 0, "a thread can be made")
    pthread_detach(thread)
}
