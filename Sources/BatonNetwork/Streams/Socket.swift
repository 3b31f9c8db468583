import CLinux
import Glibc

/// The making and tuning of sockets.
///
/// All are non-blocking, and closed when another program is started.
enum Socket {
    /// The flags that every socket is made with.
    static let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)

    /// A new stream socket.
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

    /// The error that waits on a socket, which this call takes away; zero if there is none.
    ///
    /// If the kernel does not tell, that failure is the answer.
    static func takeError(of socket: borrowing FileDescriptor) -> Int32 {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        let file = socket.number
        let (result, error) = SystemCall.attempt {
            unsafe getsockopt(file, SOL_SOCKET, SO_ERROR, &value, &length)
        }
        return result < 0 ? error : value
    }

    /// How many bytes a TCP socket took and the other end has not acknowledged, or nil if the kernel does not tell.
    static func unacknowledgedCount(of socket: borrowing FileDescriptor) -> Int? {
        var count: Int32 = 0
        let file = socket.number
        let (result, _) = SystemCall.attempt { unsafe CLinux_count_unacknowledged(file, &count) }
        return result < 0 ? nil : Int(count)
    }

    /// The address at this end, or nil if the socket is not of the internet or the kernel does not tell.
    static func localAddress(of socket: borrowing FileDescriptor) -> SocketAddress? {
        let file = socket.number
        return unsafe SocketAddress(filledBy: { address, length in
            // It fails where the kernel has no memory left; the address then stays empty.
            _ = unsafe getsockname(file, address, length)
        })
    }

    /// The address at the other end, or nothing if the socket is none of the internet or is not connected any more.
    static func remoteAddress(of socket: borrowing FileDescriptor) -> SocketAddress? {
        let file = socket.number
        return unsafe SocketAddress(filledBy: { address, length in
            // An answer is that there is nobody: the address then stays empty.
            _ = unsafe getpeername(file, address, length)
        })
    }

    /// The kind of a socket: the number of its address family, or that of no family if the kernel does not tell.
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
