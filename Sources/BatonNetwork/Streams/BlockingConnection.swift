import CLinux
import Glibc

/// A connection to a Unix socket for a program that has nothing else to do: each call waits, to a deadline.
///
/// Needs no event loop. It closes when its owner lets go of it.
package struct BlockingConnection: ~Copyable {
    let connection: PolledConnection

    /// Connects to a program of this user, and to no other, as a `PolledConnection` does.
    package init(toUnix path: String, deadline: MonotonicTime) throws(NetworkError) {
        connection = try PolledConnection(toUnix: path, deadline: deadline)
    }

    /// The process at the other end.
    package func peer() throws(NetworkError) -> UnixPeer { try connection.peer() }

    /// Writes all of the bytes.
    package func send(_ bytes: [UInt8], deadline: MonotonicTime) throws(NetworkError) {
        var queue = OutgoingQueue()
        queue.append(bytes[...])
        let operation = "write to \(connection.path)"
        try queue.drain(to: connection.socket, operation)
        while queue.count > 0 {
            try wait(for: POLLOUT, deadline: deadline, operation)
            try queue.drain(to: connection.socket, operation)
        }
    }

    /// Reads what is there, or waits until something is; nothing at the end of the stream.
    package func receive(upTo limit: Int, deadline: MonotonicTime) throws(NetworkError) -> [UInt8] {
        while true {
            if let bytes = try connection.receive(upTo: limit) { return bytes }
            try wait(for: POLLIN, deadline: deadline, "read from \(connection.path)")
        }
    }

    /// Waits until the socket is ready; the deadline passing is an error.
    private func wait(
        for event: some BinaryInteger, deadline: MonotonicTime, _ operation: String
    ) throws(NetworkError) {
        while true {
            let rest = deadline - .now
            guard rest > .zero else { throw NetworkError(number: ETIMEDOUT, operation: operation) }
            var question = pollfd(fd: connection.descriptor, events: Int16(event), revents: 0)
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
