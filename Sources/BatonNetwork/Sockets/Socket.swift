import CLinux
import Glibc

/// Functions that make, configure and query sockets.
///
/// All sockets are non-blocking, and are closed when the process executes another program.
enum Socket {
    /// The flags with which every socket is made.
    static let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)

    /// Makes a stream socket.
    static func stream(family: Int32) throws(NetworkError) -> FileDescriptor {
        let number = try SystemCall.run("make a socket") {
            socket(family, Int32(SOCK_STREAM.rawValue) | flags, 0)
        }
        return FileDescriptor(owning: number)
    }

    /// Sets an option whose value is a number.
    static func set(
        _ option: Int32, at level: Int32 = SOL_SOCKET, to value: Int32, on socket: borrowing FileDescriptor
    ) throws(NetworkError) {
        var value = value
        let file = socket.number
        try SystemCall.run("set option \(option) of a socket") {
            unsafe setsockopt(file, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
        }
    }

    /// Returns the pending error of a socket and clears it; zero if there is none.
    ///
    /// If the system call itself fails, the error of that call is returned.
    static func takeError(of socket: borrowing FileDescriptor) -> Int32 {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        let file = socket.number
        let (result, error) = SystemCall.attempt {
            unsafe getsockopt(file, SOL_SOCKET, SO_ERROR, &value, &length)
        }
        return result < 0 ? error : value
    }

    /// Returns the number of sent bytes of a TCP socket that the peer has not acknowledged; nil if the call fails.
    static func unacknowledgedCount(of socket: borrowing FileDescriptor) -> Int? {
        var count: Int32 = 0
        let file = socket.number
        let (result, _) = SystemCall.attempt { unsafe CLinux_count_unacknowledged(file, &count) }
        return result < 0 ? nil : Int(count)
    }

    /// Returns the address of this end; nil if the socket is not TCP or the call fails.
    static func localAddress(of socket: borrowing FileDescriptor) -> SocketAddress? {
        let file = socket.number
        return unsafe SocketAddress(filledBy: { address, length in
            // If the call fails for lack of memory, the address stays empty.
            _ = unsafe getsockname(file, address, length)
        })
    }

    /// Returns the address of the other end; nil if the socket is not TCP or is no longer connected.
    static func remoteAddress(of socket: borrowing FileDescriptor) -> SocketAddress? {
        let file = socket.number
        return unsafe SocketAddress(filledBy: { address, length in
            // If the socket is not connected, the call fails and the address stays empty.
            _ = unsafe getpeername(file, address, length)
        })
    }

    /// Returns the address family of a socket; `AF_UNSPEC` if the call fails.
    static func family(of socket: borrowing FileDescriptor) -> Int32 {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        let file = socket.number
        let (result, _) = SystemCall.attempt {
            unsafe getsockopt(file, SOL_SOCKET, SO_DOMAIN, &value, &length)
        }
        return result < 0 ? AF_UNSPEC : value
    }
}
