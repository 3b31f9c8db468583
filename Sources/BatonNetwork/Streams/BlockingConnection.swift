import CLinux
import Glibc

/// A connection to a Unix socket for a program that has nothing else to do: each call waits, to a deadline.
///
/// Needs no event loop. It closes when its owner lets go of it.
package struct BlockingConnection: ~Copyable {
    /// How long a listener that has too many callers waiting is left alone.
    private static let pause: Int32 = 5
    /// The socket; non-blocking, so that no call waits longer than it may.
    private let socket: FileDescriptor
    /// Where it is connected to.
    private let path: String

    /// Connects; a node that does not run is `.notFound` or `.refused`.
    package init(toUnix path: String, deadline: MonotonicTime) throws(NetworkError) {
        let opened = try Socket.stream(family: AF_UNIX)
        while true {
            let (result, error) = UnixPath(path).connect(opened)
            if result == 0 { break }
            guard error == EAGAIN else { throw NetworkError(number: error, operation: "connect to \(path)") }
            guard MonotonicTime.now < deadline else {
                throw NetworkError(number: ETIMEDOUT, operation: "connect to \(path)")
            }
            // The kernel tells nobody when there is room again.
            _ = SystemCall.attempt { poll(nil, 0, Self.pause) }
        }
        self.path = path
        socket = opened
    }

    /// The process at the other end.
    package func peer() throws(NetworkError) -> UnixPeer { try UnixPeer(of: socket) }

    /// Writes all of the bytes.
    package func send(_ bytes: [UInt8], deadline: MonotonicTime) throws(NetworkError) {
        var queue = OutgoingQueue()
        queue.append(bytes)
        while queue.count > 0 {
            let (count, error) = queue.write(to: socket)
            guard count < 0 else { continue }
            guard error == EAGAIN else { throw NetworkError(number: error, operation: "write to \(path)") }
            try wait(for: POLLOUT, deadline: deadline, "write to \(path)")
        }
    }

    /// Reads what is there, or waits until something is; nothing at the end of the stream.
    package func receive(upTo limit: Int, deadline: MonotonicTime) throws(NetworkError) -> [UInt8] {
        precondition(limit > 0, "no bytes were asked for")
        let file = socket.number
        var bytes = [UInt8](repeating: 0, count: limit)
        while true {
            let (count, error) = SystemCall.attempt { unsafe recv(file, &bytes, limit, 0) }
            if count >= 0 {
                bytes.removeLast(limit - count)
                return bytes
            }
            guard error == EAGAIN else { throw NetworkError(number: error, operation: "read from \(path)") }
            try wait(for: POLLIN, deadline: deadline, "read from \(path)")
        }
    }

    /// Waits until the socket is ready; the deadline passing is an error.
    private func wait(
        for event: some BinaryInteger, deadline: MonotonicTime, _ operation: String
    ) throws(NetworkError) {
        while true {
            let rest = deadline - .now
            guard rest > .zero else { throw NetworkError(number: ETIMEDOUT, operation: operation) }
            var question = pollfd(fd: socket.number, events: Int16(event), revents: 0)
            let count = unsafe poll(&question, 1, rest.systemMilliseconds)
            if count > 0 { return }
            // A signal is no reason to begin the wait anew: the rest is counted again.
            let number = errno
            guard count == 0 || number == EINTR else {
                throw NetworkError(number: number, operation: operation)
            }
        }
    }
}
