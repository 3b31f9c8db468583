import CLinux
import Glibc

/// A connection that is being made to one address.
///
/// The loop keeps it alive until it is settled. Its result is told once, in a later turn, unless it is cancelled.
package final class ConnectAttempt {
    /// What became of it; the connection is not started.
    package typealias Outcome = Result<StreamConnection, NetworkError>

    /// How long a Unix listener that has too many callers waiting is left alone.
    private static let pause = Duration.milliseconds(10)

    /// The loop on which it lives.
    private let loop: EventLoop
    /// How the connection is to behave.
    private let settings: StreamSettings
    /// What is being done, in words.
    private let operation: String
    /// The socket, until it is handed on.
    private var socket: FileDescriptor
    /// The registration with the loop, while the network is asked.
    private var watch: EventLoop.WatchToken?
    /// Set for the deadline until the attempt is settled.
    private let deadlineTimer: OwnedTimer
    /// Set while a full Unix listener is left alone.
    private let pauseTimer: OwnedTimer
    /// Who wants to know; released when told.
    private var then: ((Outcome) -> Void)?

    /// Prepares an attempt; it goes on by `begin` or `callUnix`.
    fileprivate init(
        _ operation: String, family: Int32, on loop: EventLoop, settings: StreamSettings,
        deadline: MonotonicTime, then: @escaping (Outcome) -> Void
    ) throws(NetworkError) {
        (self.loop, self.settings, self.operation, self.then) = (loop, settings, operation, then)
        (deadlineTimer, pauseTimer) = (OwnedTimer(on: loop), OwnedTimer(on: loop))
        socket = try Socket.stream(family: family)
        // Strongly: this is how the loop keeps the attempt alive.
        deadlineTimer.set(at: deadline) { self.settle(error: ETIMEDOUT) }
    }

    /// Gives it up; nothing is told.
    package func cancel() {
        then = nil
        clear()
        socket.close()
    }

    /// Asks the network.
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

    /// Asks a Unix listener, which answers at once or has no place for callers just now.
    fileprivate func callUnix(_ path: UnixPath) {
        let (result, error) = path.connect(socket)
        guard result < 0, error == EAGAIN else { return settleLater(error: error) }
        pauseTimer.set(after: Self.pause) { [unowned self] in callUnix(path) }
    }

    /// Settles at the end of the turn, so that nobody is told while still asking.
    private func settleLater(error: Int32) {
        loop.afterTurn { self.settle(error: error) }
    }

    /// Tells what became of it; zero means that it is connected.
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

    /// Tells that it failed.
    private func settle(_ error: NetworkError) {
        clear()
        socket.close()
        tell(.failure(error))
    }

    /// Tells once.
    private func tell(_ outcome: Outcome) {
        let then = then
        self.then = nil
        then?(outcome)
    }

    /// Lets go of the loop.
    private func clear() {
        if let watch { loop.unwatch(watch, of: socket) }
        watch = nil
        deadlineTimer.cancel()
        pauseTimer.cancel()
    }
}

extension StreamConnection {
    /// Connects to one address over TCP; the outcome is told in a later turn, by the deadline at the latest.
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

    /// Connects to a Unix socket; the outcome is told in a later turn, by the deadline at the latest.
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
