import BatonCore
import BatonNetwork

/// The sockets that a service manager has opened for this process, sorted.
struct NodeSockets {
    /// The sockets to which other devices connect.
    let ports: [Listener]
    /// The sockets to which apps connect.
    private let local: [Listener]

    init(on loop: EventLoop) throws(LocalFailure) {
        do throws(NetworkError) {
            let all = try PassedSockets.listeners(on: loop)
            (ports, local) = (all.filter { $0.pathPassed == nil }, all.filter { $0.pathPassed != nil })
        } catch {
            throw LocalFailure(.failed, "\(error)\nMake its units anew with `baton service install`.")
        }
    }

    /// Returns the local socket of a home: the one that was passed, or else a new one.
    func local(of home: Home, on loop: EventLoop) throws(LocalFailure) -> Listener {
        guard let listener = local.first else {
            do throws(NetworkError) {
                return try Listener(atUnix: home.socket, on: loop)
            } catch {
                throw LocalFailure(error, home)
            }
        }
        guard local.count == 1, listener.isPassed(atUnix: home.socket) else {
            let paths = local.compactMap(\.pathPassed).joined(separator: " and ")
            throw LocalFailure(
                .failed,
                "The socket that was passed is \(paths), and apps of this home look for it at \(home.socket).\n"
                    + "Make its units anew with `baton service install\(home.option)`.")
        }
        do throws(NetworkError) {
            try PrivateFolder.demand(home.runtime)
        } catch {
            throw LocalFailure(error, home)
        }
        return listener
    }
}

extension SignalWatch.Signal {
    /// The meaning of the signal, for a log.
    var words: String {
        switch self {
        case .terminate: "the node was told to stop (SIGTERM)"
        case .interrupt: "the node was interrupted (SIGINT)"
        case .hangUp: "the terminal is gone (SIGHUP)"
        }
    }
}

extension Duration {
    /// The duration in rounded words, for a log.
    var spoken: String {
        let seconds = components.seconds
        switch seconds {
        case ..<10:
            let tenths = (nanoseconds + 50_000_000) / 100_000_000
            return "\(tenths / 10).\(tenths % 10) s"
        case ..<120: return "\(seconds) s"
        case ..<7200: return "\(seconds / 60) minutes"
        case ..<172_800: return "\(seconds / 3600) hours"
        default: return "\(seconds / 86_400) days"
        }
    }
}
