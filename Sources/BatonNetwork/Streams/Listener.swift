import CLinux
import Glibc

/// Accepts connections at a TCP port or at a Unix socket.
///
/// The loop keeps a started listener alive until `close()`. When the process is out of descriptors, or connections come
/// faster than the rate limit allows, they stay in the kernel's backlog and the listener tries again a little later. So
/// none is refused, and the loop does not spin.
package final class Listener {
    /// The most connections that are accepted in one turn.
    private static let acceptsPerTurn = 64
    /// How long to pause when a connection can't be accepted.
    private static let rest = Duration.milliseconds(100)
    /// How many connections may wait in the kernel to be accepted.
    package static let usualBacklog: Int32 = 512

    private let loop: EventLoop
    /// The settings of accepted connections.
    private let settings: StreamSettings
    /// The listening socket.
    private var socket: FileDescriptor
    /// The file of a Unix socket that this listener has made.
    private var file: UnixSocketFile?
    /// The address that was bound, with the port that the system chose; nil for a Unix socket.
    package let address: SocketAddress?
    /// The path of a Unix socket that a service manager passed.
    private let passedPath: UnixPath?
    /// The registration with the loop, from the start to the end.
    private var watch: EventLoop.WatchToken?
    /// How often connections are accepted; nil for no limit.
    private var rate: RateLimit?
    /// Set during a pause.
    private lazy var restTimer = OwnedTimer(on: loop)
    /// Called with new connections, which are not started yet.
    private var accepted: ((StreamConnection) -> Void)?
    /// Called with the reason when a connection can't be accepted.
    private var troubled: ((NetworkError) -> Void)?

    /// Listens at a TCP address: at `[::]` also for IPv4, or for IPv4 alone if this machine has no IPv6.
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
        passedPath = nil
    }

    /// Listens at a Unix socket that only this user can reach.
    ///
    /// Makes the folder if it is missing, and replaces the socket file of a process that has ended.
    package init(
        atUnix path: String, on loop: EventLoop, settings: StreamSettings = StreamSettings(),
        backlog: Int32 = Listener.usualBacklog
    ) throws(NetworkError) {
        (self.loop, self.settings) = (loop, settings)
        socket = try Socket.stream(family: AF_UNIX)
        file = try UnixSocketFile(listening: socket, at: path, backlog: backlog)
        (address, passedPath) = (nil, nil)
    }

    /// Listens at a TCP socket that a service manager has opened, and keeps open.
    init(
        passed socket: consuming FileDescriptor, at address: SocketAddress?, on loop: EventLoop,
        settings: StreamSettings
    ) {
        self.loop = loop
        self.settings = settings
        self.address = address
        passedPath = nil
        self.socket = socket
    }

    /// Listens at a Unix socket that a service manager has opened, and keeps open; its file outlives this listener.
    init(
        passed socket: consuming FileDescriptor, atUnix path: String, on loop: EventLoop,
        settings: StreamSettings
    ) {
        self.loop = loop
        self.settings = settings
        address = nil
        passedPath = UnixPath(path)
        self.socket = socket
    }

    /// Begins to accept connections, each of which `accepted` starts or drops; called once.
    ///
    /// `troubled` is called with the reason when connections have to wait or can't be accepted.
    package func start(
        rate: RateLimit? = nil, accepted: @escaping (StreamConnection) -> Void,
        troubled: @escaping (NetworkError) -> Void = { _ in }
    ) throws(NetworkError) {
        precondition(watch == nil && socket.isOpen, "a listener was started twice, or after its end")
        watch = try loop.watch(socket, for: .readable, abandoned: stop) { _ in self.acceptShare() }
        (self.rate, self.accepted, self.troubled) = (rate, accepted, troubled)
    }

    /// Stops listening: waiting connections are refused, the file of a Unix socket is removed, handlers are released.
    ///
    /// Throws if that file can't be removed; everything else is done even so.
    package func close() throws(NetworkError) {
        // The file is removed first, so that nobody finds the file of a socket that is closed.
        let file = file.take()
        defer { stop() }
        try file?.remove()
    }

    /// The path of the socket, if it is a Unix socket that was passed.
    package var pathPassed: String? { passedPath?.path }

    /// Returns whether this is a passed Unix socket at that path.
    package func isPassed(atUnix path: String) -> Bool {
        passedPath?.path == path || passedPath?.leads(toFileOf: UnixPath(path)) == true
    }

    /// Stops listening, and leaves the file of a Unix socket where it is.
    private func stop() {
        if let watch { loop.unwatch(watch, of: socket) }
        restTimer.cancel()
        (watch, accepted, troubled) = (nil, nil, nil)
        socket.close()
    }

    /// Accepts the waiting connections, up to the share of one turn.
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
                // This peer has hung up already; the next one perhaps has not.
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

    /// Reports the error and pauses; connections wait in the kernel during the pause.
    private func restAWhile(_ error: Int32) {
        rest(for: Self.rest)
        troubled?(NetworkError(number: error, operation: "accept a connection"))
    }

    /// Accepts no connection until the pause is over.
    private func rest(for pause: Duration) {
        restTimer.set(after: pause) { [unowned self] in acceptShare() }
    }

    /// Makes a socket that listens at an address.
    private static func bind(_ address: SocketAddress, _ backlog: Int32) throws(NetworkError)
        -> FileDescriptor
    {
        let socket = try Socket.stream(family: address.family)
        let file = socket.number
        // A restarted node must not wait until the kernel has forgotten the connections of the previous process.
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
