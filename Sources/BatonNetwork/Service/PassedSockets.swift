import CLinux
import Glibc

/// The listening sockets that a service manager opened before it started this process.
///
/// The manager keeps the sockets open, too. If a connection arrives while no process serves it, the connection waits
/// for the next process. The descriptors begin at a fixed number. Three variables describe them: `LISTEN_PID` is the
/// process that the sockets are for, `LISTEN_FDS` is the number of sockets, and `LISTEN_FDNAMES` lists their names, if
/// it is set.
package enum PassedSockets {
    /// The number of the first descriptor.
    static let first: Int32 = 3
    /// The largest number of sockets that are accepted; no manager is configured to open more.
    static let most: Int32 = 64

    /// Returns listeners for the passed sockets; returns none if none were passed to this process.
    ///
    /// The call unsets the variables, so that the programs that this process starts do not see them. Call it before any
    /// other thread starts.
    package static func listeners(
        on loop: EventLoop, settings: StreamSettings = StreamSettings()
    ) throws(NetworkError) -> [Listener] {
        let (process, count, names) = (take("LISTEN_PID"), take("LISTEN_FDS"), take("LISTEN_FDNAMES"))
        guard let process, let count, process == String(getpid()) else { return [] }
        guard let number = Int32(count), (0...most).contains(number) else {
            throw NetworkError(
                .malformed, operation: "take over sockets",
                reason: "LISTEN_FDS is \(count), which is not a number up to \(most)")
        }
        let called = names?.split(separator: ":", omittingEmptySubsequences: false).map(String.init) ?? []
        // All sockets belong to this process from now on, even if one of them can't be used. So all of them are marked
        // before the first is used.
        let sockets = (0..<number).map { place in
            Passed(number: first + place, name: Int(place) < called.count ? called[Int(place)] : "")
        }
        for socket in sockets { socket.closeOnExecution() }
        var listeners: [Listener] = []
        for socket in sockets { listeners.append(try socket.listener(on: loop, settings)) }
        return listeners
    }

    /// Returns the value of a variable and unsets it.
    private static func take(_ variable: String) -> String? {
        guard let value = unsafe getenv(variable) else { return nil }
        let text = unsafe String(cString: value)
        unsafe unsetenv(variable)
        return text
    }
}

/// A socket that the service manager passed.
private struct Passed {
    let number: Int32
    let name: String

    /// Makes the kernel close the socket when this process executes another program.
    ///
    /// The call fails only if the descriptor is not open, and `listener` reports that.
    func closeOnExecution() { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }

    func listener(on loop: EventLoop, _ settings: StreamSettings) throws(NetworkError) -> Listener {
        var (status, length) = (stat(), socklen_t(MemoryLayout<Int32>.size))
        guard unsafe fstat(number, &status) == 0 else { throw wrong("it is not open") }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw wrong("it is not a socket") }
        var (kind, isListening): (Int32, Int32) = (0, 0)
        guard unsafe getsockopt(number, SOL_SOCKET, SO_TYPE, &kind, &length) == 0,
            kind == Int32(SOCK_STREAM.rawValue)
        else { throw wrong("it is not a stream socket") }
        guard unsafe getsockopt(number, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length) == 0,
            isListening == 1
        else { throw wrong("it does not listen") }
        guard fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) == 0 else {
            throw NetworkError(number: errno, operation: operation)
        }
        let socket = FileDescriptor(owning: number)
        switch Socket.family(of: socket) {
        case AF_INET, AF_INET6:
            let address = Socket.localAddress(of: socket)
            return Listener(passed: socket, named: name, at: address, on: loop, settings: settings)
        case AF_UNIX:
            guard let path = UnixPath(of: socket) else { throw wrong("it is a Unix socket without a file") }
            return Listener(passed: socket, named: name, atUnix: path.path, on: loop, settings: settings)
        default: throw wrong("it is neither a Unix socket nor a TCP socket")
        }
    }

    private var operation: String {
        "take over the passed descriptor \(number)\(name.isEmpty ? "" : " (“\(name)”)")"
    }

    private func wrong(_ reason: String) -> NetworkError {
        NetworkError(.malformed, operation: operation, reason: reason)
    }
}
