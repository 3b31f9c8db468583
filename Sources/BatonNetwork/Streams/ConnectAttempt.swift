import CLinux
import Glibc

/// An attempt to connect to one address.
///
/// The attempt reports its outcome once, in a later turn, unless it is cancelled. The loop keeps the attempt alive
/// until then.
package final class ConnectAttempt {
    /// The outcome: a connection that is not started yet, or the reason why there is none.
    package typealias Outcome = Result<StreamConnection, NetworkError>

    /// How long to wait before another try if the backlog of a Unix listener is full.
    private static let pause = Duration.milliseconds(10)

    private let loop: EventLoop
    /// The settings of the connection.
    private let settings: StreamSettings
    /// The operation, as error messages name it; for example, `connect to 127.0.0.1:7000`.
    private let operation: String
    /// The socket, until a `StreamConnection` takes it over.
    private var socket: FileDescriptor
    /// The registration with the loop while a TCP connection is being made.
    private var watch: EventLoop.WatchToken?
    /// The timer for the deadline; set until there is an outcome.
    private let deadlineTimer: OwnedTimer
    /// The timer for another try; set while the backlog of a Unix listener is full.
    private let pauseTimer: OwnedTimer
    /// Called once with the outcome; released after that.
    private var then: ((Outcome) -> Void)?

    /// Prepares an attempt, which then begins with `begin` or `callUnix`.
    fileprivate init(
        _ operation: String, family: Int32, on loop: EventLoop, settings: StreamSettings,
        deadline: MonotonicTime, then: @escaping (Outcome) -> Void
    ) throws(NetworkError) {
        self.loop = loop
        self.settings = settings
        self.operation = operation
        self.then = then
        (deadlineTimer, pauseTimer) = (OwnedTimer(on: loop), OwnedTimer(on: loop))
        socket = try Socket.stream(family: family)
        // The action captures the attempt strongly, so the loop keeps the attempt alive.
        deadlineTimer.set(at: deadline) { self.settle(error: ETIMEDOUT) }
    }

    /// Gives up without reporting an outcome.
    package func cancel() {
        then = nil
        clear()
        socket.close()
    }

    /// Begins to connect over TCP.
    fileprivate func begin(_ address: SocketAddress) {
        let file = socket.number
        let (result, error) = SystemCall.attempt {
            unsafe address.withSystemAddress { address, length in unsafe connect(file, address, length) }
        }
        guard result < 0, error == EINPROGRESS else { return settleLater(error: error) }
        do throws(NetworkError) {
            watch = try loop.watch(socket, for: .writable, abandoned: cancel) { _ in
                self.settle(error: Socket.takeError(of: self.socket))
            }
        } catch {
            loop.afterTurn { self.settle(error) }
        }
    }

    /// Connects to a Unix listener, which accepts or refuses at once; if its backlog is full, tries again after a
    /// pause.
    fileprivate func callUnix(_ path: UnixPath) {
        let (result, error) = path.connect(socket)
        guard result < 0, error == EAGAIN else { return settleLater(error: error) }
        pauseTimer.set(after: Self.pause) { [unowned self] in callUnix(path) }
    }

    /// Reports the outcome at the end of the turn, so that the caller is not called back during its own call.
    private func settleLater(error: Int32) {
        loop.afterTurn { self.settle(error: error) }
    }

    /// Reports the outcome for an error number; zero means that the socket is connected.
    private func settle(error: Int32) {
        guard then != nil else { return }
        guard error == 0 else { return settle(NetworkError(number: error, operation: operation)) }
        clear()
        do throws(NetworkError) {
            let connection = try StreamConnection(adopting: socket.take(), on: loop, settings: settings)
            tell(.success(connection))
        } catch {
            tell(.failure(error))
        }
    }

    /// Reports that the attempt failed.
    private func settle(_ error: NetworkError) {
        clear()
        socket.close()
        tell(.failure(error))
    }

    /// Reports the outcome once.
    private func tell(_ outcome: Outcome) {
        let then = then
        self.then = nil
        then?(outcome)
    }

    /// Stops watching the socket, and cancels both timers.
    private func clear() {
        if let watch { loop.unwatch(watch, of: socket) }
        watch = nil
        deadlineTimer.cancel()
        pauseTimer.cancel()
    }
}

extension StreamConnection {
    /// Connects to one address over TCP, and reports the outcome in a later turn, not later than the deadline.
    @discardableResult
    package static func connect(
        to address: SocketAddress, on loop: EventLoop, settings: StreamSettings = StreamSettings(),
        deadline: MonotonicTime, then: @escaping (ConnectAttempt.Outcome) -> Void
    ) throws(NetworkError) -> ConnectAttempt {
        let attempt = try ConnectAttempt(
            "connect to \(address)", family: address.family, on: loop, settings: settings, deadline: deadline,
            then: then)
        attempt.begin(address)
        return attempt
    }

    /// Connects to a Unix socket, and reports the outcome in a later turn, not later than the deadline.
    @discardableResult
    package static func connect(
        toUnix path: String, on loop: EventLoop, settings: StreamSettings = StreamSettings(),
        deadline: MonotonicTime, then: @escaping (ConnectAttempt.Outcome) -> Void
    ) throws(NetworkError) -> ConnectAttempt {
        let attempt = try ConnectAttempt(
            "connect to \(path)", family: AF_UNIX, on: loop, settings: settings, deadline: deadline,
            then: then)
        attempt.callUnix(UnixPath(path))
        return attempt
    }
}
