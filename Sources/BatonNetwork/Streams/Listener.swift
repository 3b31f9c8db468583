import CLinux
import Glibc

/// Waits for callers, at a TCP port or at a Unix socket.
///
/// The loop keeps it alive until `close()`. When the process is out of descriptors, or callers come faster than they
/// may, it lets them wait and tries again a little later, so that none is turned away and the loop does not spin.
package final class Listener {
    /// How many callers are let in in one turn.
    private static let acceptsPerTurn = 64
    /// How long it rests when a caller can't be let in.
    private static let rest = Duration.milliseconds(100)
    /// How many callers the kernel lets wait.
    package static let usualBacklog: Int32 = 512

    /// The loop on which it lives.
    private let loop: EventLoop
    /// How its connections behave.
    private let settings: StreamSettings
    /// The listening socket.
    private var socket: FileDescriptor
    /// The file of a Unix socket.
    private var file: UnixSocketFile?
    /// The address that was bound, with the port that the system chose; nothing for a Unix socket.
    package let address: SocketAddress?
    /// Where a Unix socket is that a service manager opened.
    private let passedPath: UnixPath?
    /// The registration with the loop.
    private var watch: EventLoop.WatchToken?
    /// How fast callers are let in.
    private var rate: RateLimit?
    /// Set while it rests.
    private lazy var restTimer = OwnedTimer(on: loop)
    /// Gets new connections, not yet started.
    private var accepted: ((StreamConnection) -> Void)?
    /// Hears why a caller could not be let in.
    private var troubled: ((NetworkError) -> Void)?

    /// Listens at a TCP address; at `[::]` to IPv4 callers too, and if there is no IPv6 here, to those only.
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
    /// Its folder is made if it is missing. A file left by a process that is gone is replaced.
    package init(
        atUnix path: String, on loop: EventLoop, settings: StreamSettings = StreamSettings(),
        backlog: Int32 = Listener.usualBacklog
    ) throws(NetworkError) {
        (self.loop, self.settings) = (loop, settings)
        socket = try Socket.stream(family: AF_UNIX)
        file = try UnixSocketFile(listening: socket, at: path, backlog: backlog)
        (address, passedPath) = (nil, nil)
    }

    /// Listens at a socket of the internet that somebody else opened, and holds as well.
    init(
        passed socket: consuming FileDescriptor, at address: SocketAddress?, on loop: EventLoop,
        settings: StreamSettings
    ) {
        (self.loop, self.settings, self.address, passedPath) = (loop, settings, address, nil)
        self.socket = socket
    }

    /// Listens at a Unix socket that somebody else opened, and holds as well; its file stays when this one ends.
    init(
        passed socket: consuming FileDescriptor, atUnix path: String, on loop: EventLoop,
        settings: StreamSettings
    ) {
        (self.loop, self.settings, address, passedPath) = (loop, settings, nil, UnixPath(path))
        self.socket = socket
    }

    /// Lets callers in: each is given to `accepted`, to be started or dropped; called once.
    ///
    /// They come no faster than the rate says. `troubled` hears why callers had to wait or could not be let in.
    package func start(
        rate: RateLimit? = nil, accepted: @escaping (StreamConnection) -> Void,
        troubled: @escaping (NetworkError) -> Void = { _ in }
    ) throws(NetworkError) {
        precondition(watch == nil && socket.isOpen, "a listener was started twice, or after its end")
        watch = try loop.watch(socket, for: .readable, abandoned: stop) { _ in self.acceptShare() }
        (self.rate, self.accepted, self.troubled) = (rate, accepted, troubled)
    }

    /// Ends it: waiting callers are turned away, the file of a Unix socket is removed, handlers are released.
    ///
    /// It throws if that file can't be removed; everything else is done even so.
    package func close() throws(NetworkError) {
        // The file goes first, so that nobody finds one at which no one listens.
        let file = file.take()
        defer { stop() }
        try file?.remove()
    }

    /// Where it was opened, if it is a Unix socket that was passed.
    package var pathPassed: String? { passedPath?.path }

    /// Whether it is the Unix socket at that path, and was passed.
    package func isPassed(atUnix path: String) -> Bool {
        passedPath?.path == path || passedPath?.leads(toFileOf: UnixPath(path)) == true
    }

    /// Listens no more; only the file of a Unix socket stays.
    private func stop() {
        if let watch { loop.unwatch(watch, of: socket) }
        restTimer.cancel()
        (watch, accepted, troubled) = (nil, nil, nil)
        socket.close()
    }

    /// Lets in who waits, as many as one turn may.
    private func acceptShare() {
        guard !restTimer.isSet else { return }
        for _ in 0..<Self.acceptsPerTurn {
            guard watch != nil else { return }
            guard rate?.take(at: loop.now) ?? true else { return rest(for: rate?.pause ?? Self.rest) }
            let listening = socket.number
            let (number, error) = SystemCall.attempt { CLinux_accept(listening, nil, nil, Socket.flags) }
            if number >= 0 {
                take(FileDescriptor(owning: number))
            } else if error == EAGAIN {
                return
            } else if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error) {
                return restAWhile(error)
            } else {
                // This caller is gone already; the next may not be.
                troubled?(NetworkError(number: error, operation: "accept a connection"))
            }
        }
        loop.nextTurn { self.acceptShare() }
    }

    /// Makes a connection of a new socket.
    private func take(_ socket: consuming FileDescriptor) {
        do throws(NetworkError) {
            accepted?(try StreamConnection(adopting: socket, on: loop, settings: settings))
        } catch {
            troubled?(error)
        }
    }

    /// Tries again a little later; callers wait in the kernel meanwhile.
    private func restAWhile(_ error: Int32) {
        rest(for: Self.rest)
        troubled?(NetworkError(number: error, operation: "accept a connection"))
    }

    private func rest(for pause: Duration) {
        restTimer.set(after: pause) { [unowned self] in acceptShare() }
    }

    /// A socket that listens at this address.
    private static func bind(_ address: SocketAddress, _ backlog: Int32) throws(NetworkError)
        -> FileDescriptor
    {
        let socket = try Socket.stream(family: address.family)
        let file = socket.number
        // A restarted node must not wait for the last connections of the one before to be forgotten.
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
