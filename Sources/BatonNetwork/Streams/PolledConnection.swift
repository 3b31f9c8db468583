import CLinux
import Glibc

/// A connection to a Unix socket for a program that waits for other things too: once it is made, no call waits.
///
/// Needs no event loop; its owner asks the kernel when it is ready. It closes when its owner lets go of it.
package struct PolledConnection: ~Copyable {
    /// How long a listener that has too many callers waiting is left alone.
    private static let pause: Int32 = 5
    /// The socket, non-blocking.
    let socket: FileDescriptor
    /// Where it is connected to.
    let path: String
    private var queue = OutgoingQueue()

    /// Connects to a program of this user; a node that does not run is `.notFound` or `.refused`.
    ///
    /// Another user who answers there, or could, is `.foreign`; nothing is sent before that is known.
    package init(toUnix path: String, deadline: MonotonicTime) throws(NetworkError) {
        try PrivateFolder.demand(UnixPath(path).folder)
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
        try Self.demandOwnPeer(of: opened, at: path)
        self.path = path
        socket = opened
    }

    /// Refuses a socket at which another user listens.
    ///
    /// The superuser may: a service manager of the machine opens sockets for the services of users, and nothing is
    /// secret from the superuser anyway.
    private static func demandOwnPeer(
        of socket: borrowing FileDescriptor, at path: String
    ) throws(NetworkError) {
        let user = try UnixPeer(of: socket).userID
        guard user != UnixPeer.ownUserID, user != 0 else { return }
        throw NetworkError(
            .foreign, operation: "use the socket \(path)",
            reason:
                "user \(user) listens there in the node's place, and was told nothing. Remove it, and try again"
        )
    }

    /// What to ask the kernel about; it belongs to this connection.
    package var descriptor: Int32 { socket.number }

    /// How many bytes the kernel has not taken yet.
    package var waitingBytes: Int { queue.count }

    /// The process at the other end.
    package func peer() throws(NetworkError) -> UnixPeer { try UnixPeer(of: socket) }

    /// Takes bytes to be written, and writes what the kernel takes.
    package mutating func send(_ bytes: [UInt8]) throws(NetworkError) {
        queue.append(bytes[...])
        try flush()
    }

    /// Writes what the kernel takes of what waits.
    package mutating func flush() throws(NetworkError) { try queue.drain(to: socket, "write to \(path)") }

    /// Reads what is there: nothing if that is nothing yet, and no bytes at the end of the stream.
    package func receive(upTo limit: Int) throws(NetworkError) -> [UInt8]? {
        precondition(limit > 0, "no bytes were asked for")
        let file = socket.number
        var bytes = [UInt8](repeating: 0, count: limit)
        let (count, error) = SystemCall.attempt { unsafe recv(file, &bytes, limit, 0) }
        guard count < 0 else {
            bytes.removeLast(limit - count)
            return bytes
        }
        guard error == EAGAIN else { throw NetworkError(number: error, operation: "read from \(path)") }
        return nil
    }
}
