import CLinux
import Glibc

/// Accepts connections at a TCP port or at a Unix socket.
///
/// The loop keeps a started listener alive until `close()`. If the process is out of descriptors, or if connections
/// arrive faster than the rate limit allows, the listener pauses. Meanwhile, connections wait in the kernel's backlog.
/// So no connection is refused, and the loop does not spin.
package final class Listener {
    /// The maximum number of connections that are accepted in one turn.
    private static let acceptsPerTurn = 64
    /// How long to pause if the system can't accept a connection.
    private static let rest = Duration.milliseconds(100)
    /// The usual maximum number of connections that wait in the kernel to be accepted.
    package static let usualBacklog: Int32 = 512

    private let loop: EventLoop
    /// The settings of accepted connections.
    private let settings: StreamSettings
    /// The listening socket.
    private var socket: FileDescriptor
    /// The socket file that this listener has made; nil for TCP and for a passed socket.
    private var file: UnixSocketFile?
    /// The address at which the listener listens, with the port that the system chose; nil for a Unix socket.
    package let address: SocketAddress?
    /// The path of the Unix socket, if a service manager passed the socket.
    private var passedPath: UnixPath?
    /// The name under which the socket was passed to this process; nil if this process has opened it.
    package let passedName: String?
    /// The registration with the loop; nil before the start and after the end.
    private var watch: EventLoop.WatchToken?
    /// The limit on the rate of new connections; nil for no limit.
    private var rate: RateLimit?
    /// The timer that ends a pause.
    private lazy var restTimer = OwnedTimer(on: loop)
    /// Called with each new connection, which is not started yet.
    private var accepted: ((StreamConnection) -> Void)?
    /// Called with the reason when a connection can't be accepted.
    private var troubled: ((NetworkError) -> Void)?

    /// Listens at a TCP address.
    ///
    /// The address `[::]` includes IPv4. If this machine has no IPv6, the listener uses only IPv4.
    package init(
        at address: SocketAddress, on loop: EventLoop, settings: StreamSettings = StreamSettings(),
        backlog: Int32 = Listener.usualBacklog
    ) throws(NetworkError) {
        (self.loop, self.settings) = (loop, settings)
        do throws(NetworkError) {
            socket = try Self.bind(address, backlog)
        } catch  where address.isAny && [.unsupported, .addressNotAvailable].contains(error.code) {
            socket = try Self.bind(SocketAddress(host: .version4(0), port: address.port), backlog)
        }
        self.address = Socket.localAddress(of: socket)
        (passedPath, passedName) = (nil, nil)
    }

    /// Listens at a Unix socket that only this user can reach.
    ///
    /// The folder is made if it is missing. If a process has ended and left its socket file there, the file is
    /// replaced.
    package init(
        atUnix path: String, on loop: EventLoop, settings: StreamSettings = StreamSettings(),
        backlog: Int32 = Listener.usualBacklog
    ) throws(NetworkError) {
        (self.loop, self.settings) = (loop, settings)
        socket = try Socket.stream(family: AF_UNIX)
        file = try UnixSocketFile(listening: socket, at: path, backlog: backlog)
        (address, passedPath, passedName) = (nil, nil, nil)
    }

    /// Listens at a TCP socket that a service manager has opened, and that stays open in the manager.
    init(
        passed socket: consuming FileDescriptor, named name: String, at address: SocketAddress?,
        on loop: EventLoop, settings: StreamSettings
    ) {
        self.loop = loop
        self.settings = settings
        self.address = address
        (passedPath, passedName) = (nil, name)
        self.socket = socket
    }

    /// Listens at a Unix socket that a service manager has opened; the socket and its file stay when this listener
    /// ends.
    init(
        passed socket: consuming FileDescriptor, named name: String, atUnix path: String,
        on loop: EventLoop, settings: StreamSettings
    ) {
        self.loop = loop
        self.settings = settings
        address = nil
        (passedPath, passedName) = (UnixPath(path), name)
        self.socket = socket
    }

    /// Begins to accept connections; called only once.
    ///
    /// `accepted` is called with each connection, and has to start or to drop it. `troubled` is called with the reason
    /// if connections can't be accepted or have to wait.
    package func start(
        rate: RateLimit? = nil, accepted: @escaping (StreamConnection) -> Void,
        troubled: @escaping (NetworkError) -> Void = { _ in }
    ) throws(NetworkError) {
        precondition(watch == nil && socket.isOpen, "a listener was started twice, or after its end")
        watch = try loop.watch(socket, for: .readable, abandoned: stop) { _ in self.acceptShare() }
        (self.rate, self.accepted, self.troubled) = (rate, accepted, troubled)
    }

    /// Stops listening: refuses waiting connections, removes the file of a Unix socket, and releases the handlers.
    ///
    /// Throws if the file can't be removed; everything else is done in any case.
    package func close() throws(NetworkError) {
        // The file is removed before the socket is closed, so that nobody finds the file of a closed socket.
        let file = file.take()
        defer { stop() }
        try file?.remove()
    }

    /// The path of the Unix socket, if a service manager passed the socket; otherwise, nil.
    package var pathPassed: String? { passedPath?.path }

    /// Returns whether a service manager passed this socket, and it is the Unix socket at that path.
    package func isPassed(atUnix path: String) -> Bool {
        passedPath?.path == path || passedPath?.leads(toFileOf: UnixPath(path)) == true
    }

    // MARK: Handing the socket to the next run

    /// Stops accepting connections, and keeps the socket: connections wait in the kernel for the next process.
    package func pause() {
        if let watch { loop.unwatch(watch, of: socket) }
        restTimer.cancel()
        (watch, accepted, troubled) = (nil, nil, nil)
    }

    /// Takes over the file of a Unix socket that an earlier run of this process has made, and removes it at the end.
    package func adoptFile(at path: String) throws(NetworkError) {
        file = try UnixSocketFile(adopting: path)
        passedPath = nil
    }

    /// The path of the Unix socket's file, if this process has to remove it at its end; otherwise, nil.
    package var ownPath: String? { file?.location }

    /// Returns another descriptor of the socket, with a number that is at least this high.
    func duplicate(from least: Int32) throws(NetworkError) -> Int32 {
        let number = socket.number
        return try SystemCall.run("pass on a socket") { fcntl(number, F_DUPFD_CLOEXEC, least) }
    }

    // MARK: Connections

    /// Stops listening, but does not remove the file of a Unix socket.
    private func stop() {
        pause()
        socket.close()
    }

    /// Accepts waiting connections, up to the maximum for one turn.
    private func acceptShare() {
        guard !restTimer.isSet else { return }
        for _ in 0..<Self.acceptsPerTurn {
            guard watch != nil else { return }
            guard rate?.take(at: loop.now) ?? true else { return rest(for: rate?.pause ?? Self.rest) }
            let listening = socket.number
            let (number, error) = SystemCall.attempt { CLinux_accept(listening, nil, nil, Socket.flags) }
            if number >= 0 {
                acceptSocket(FileDescriptor(owning: number))
            } else if error == EAGAIN {
                return
            } else if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error) {
                return restAWhile(error)
            } else {
                // This peer has already hung up. The next peer may still be there.
                troubled?(NetworkError(number: error, operation: "accept a connection"))
            }
        }
        loop.nextTurn { self.acceptShare() }
    }

    /// Makes a connection from an accepted socket.
    private func acceptSocket(_ socket: consuming FileDescriptor) {
        do throws(NetworkError) {
            accepted?(try StreamConnection(adopting: socket, on: loop, settings: settings))
        } catch {
            troubled?(error)
        }
    }

    /// Pauses and reports the error; connections wait in the kernel during the pause.
    private func restAWhile(_ error: Int32) {
        rest(for: Self.rest)
        troubled?(NetworkError(number: error, operation: "accept a connection"))
    }

    /// Pauses for a time, during which no connection is accepted.
    private func rest(for pause: Duration) {
        restTimer.set(after: pause) { [unowned self] in acceptShare() }
    }

    /// Makes a socket that listens at an address.
    private static func bind(_ address: SocketAddress, _ backlog: Int32) throws(NetworkError)
        -> FileDescriptor
    {
        let socket = try Socket.stream(family: address.family)
        let file = socket.number
        // A restarted node must be able to listen while the kernel still remembers connections of the previous process.
        try Socket.set(SO_REUSEADDR, to: 1, on: socket)
        if address.family == AF_INET6 {
            try Socket.set(IPV6_V6ONLY, at: Int32(IPPROTO_IPV6), to: address.isAny ? 0 : 1, on: socket)
        }
        try SystemCall.run("listen at \(address)") {
            unsafe address.withSystemAddress { address, length in unsafe Glibc.bind(file, address, length) }
        }
        try SystemCall.run("listen at \(address)") { listen(file, backlog) }
        return socket
    }
}
