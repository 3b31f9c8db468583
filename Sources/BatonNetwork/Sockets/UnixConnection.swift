import CLinux
import Glibc

/// A connection to a Unix socket, for a program without an event loop.
///
/// The connection closes when its owner releases it. `send` and `receive` wait until a deadline. A program that waits
/// for several things at once polls `descriptor`, and calls `sendNow` and `receiveNow`, which never wait.
package struct UnixConnection: ~Copyable {
    /// How long to wait before another try if the backlog of the listener is full, in milliseconds.
    private static let pause: Int32 = 5
    private let socket: FileDescriptor
    private let path: String

    /// Connects to a program of this user; throws `.notFound` or `.refused` if none is running.
    ///
    /// Throws `.foreign` if another user listens at the path, or could listen there. Nothing is sent before this is
    /// checked.
    package init(to path: String, deadline: MonotonicTime) throws(NetworkError) {
        try PrivateFolder.demand(UnixPath(path).folder)
        let opened = try Socket.stream(family: AF_UNIX)
        while true {
            let (result, error) = UnixPath(path).connect(opened)
            if result == 0 { break }
            guard error == EAGAIN else { throw NetworkError(number: error, operation: "connect to \(path)") }
            guard MonotonicTime.now < deadline else {
                throw NetworkError(number: ETIMEDOUT, operation: "connect to \(path)")
            }
            // The kernel does not report when there is room again.
            _ = SystemCall.attempt { poll(nil, 0, Self.pause) }
        }
        try Self.demandOwnPeer(of: opened, at: path)
        self.path = path
        socket = opened
    }

    /// Throws if another user listens at the other end of a socket.
    ///
    /// The superuser may listen there. The machine's service manager opens sockets for the services of users, and the
    /// superuser can read all data anyway.
    private static func demandOwnPeer(
        of socket: borrowing FileDescriptor, at path: String
    ) throws(NetworkError) {
        let user = try UnixPeer(of: socket).userID
        guard user != UnixPeer.ownUserID, user != 0 else { return }
        throw NetworkError(
            .foreign, operation: "use the socket \(path)",
            reason:
                "user \(user) listens there in the node's place. Nothing was sent. Remove the socket and try again"
        )
    }

    // MARK: Waiting for the socket

    /// Writes all bytes, and waits until they are written.
    package func send(_ bytes: [UInt8], deadline: MonotonicTime) throws(NetworkError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            rest = rest.dropFirst(try sendNow(rest))
            if !rest.isEmpty { try wait(for: POLLOUT, deadline: deadline, writing) }
        }
    }

    /// Returns the bytes that have arrived; waits until there are some.
    ///
    /// At the end of the stream, the result is empty.
    package func receive(upTo limit: Int, deadline: MonotonicTime) throws(NetworkError) -> [UInt8] {
        while true {
            if let bytes = try receiveNow(upTo: limit) { return bytes }
            try wait(for: POLLIN, deadline: deadline, reading)
        }
    }

    /// Waits until the socket is ready; throws when the deadline passes.
    private func wait(
        for event: some BinaryInteger, deadline: MonotonicTime, _ operation: String
    ) throws(NetworkError) {
        while true {
            let rest = deadline - .now
            guard rest > .zero else { throw NetworkError(number: ETIMEDOUT, operation: operation) }
            var question = pollfd(fd: socket.number, events: Int16(event), revents: 0)
            let count = unsafe poll(&question, 1, rest.systemMilliseconds)
            if count > 0 { return }
            // If a signal interrupted the wait, the wait continues for the rest of the time.
            let number = errno
            guard count == 0 || number == EINTR else {
                throw NetworkError(number: number, operation: operation)
            }
        }
    }

    // MARK: Without waiting

    /// The descriptor, which can be polled together with others; it belongs to this connection.
    package var descriptor: Int32 { socket.number }

    /// Writes the bytes that the kernel accepts at once, and returns their number.
    package func sendNow(_ bytes: ArraySlice<UInt8>) throws(NetworkError) -> Int {
        let file = socket.number
        let (count, error) = unsafe bytes.withUnsafeBytes { bytes in
            SystemCall.attempt {
                unsafe Glibc.send(file, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
        }
        if count >= 0 { return count }
        guard error == EAGAIN else { throw NetworkError(number: error, operation: writing) }
        return 0
    }

    /// Returns the bytes that have arrived; nil if there are none, and an empty array at the end of the stream.
    package func receiveNow(upTo limit: Int) throws(NetworkError) -> [UInt8]? {
        precondition(limit > 0, "no bytes were asked for")
        var bytes: [UInt8] = []
        return try receiveNow(into: &bytes, most: limit) == nil ? nil : bytes
    }

    /// Appends the bytes that have arrived to a buffer, and returns their number.
    ///
    /// The result is nil if nothing has arrived, and 0 at the end of the stream.
    package func receiveNow(into buffer: inout [UInt8], most: Int) throws(NetworkError) -> Int? {
        let file = socket.number
        var (count, error) = (-1, Int32(0))
        buffer.append(addingCapacity: most) { room in
            unsafe room.withUnsafeMutableBufferPointer { bytes, filled in
                (count, error) = SystemCall.attempt { unsafe recv(file, bytes.baseAddress, bytes.count, 0) }
                filled = max(count, 0)
            }
        }
        if count >= 0 { return count }
        guard error == EAGAIN else { throw NetworkError(number: error, operation: reading) }
        return nil
    }

    // MARK: Words for errors

    private var writing: String { "write to \(path)" }

    private var reading: String { "read from \(path)" }
}
