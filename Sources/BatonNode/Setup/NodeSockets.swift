import BatonCore
import BatonNetwork

/// The sockets that a service manager or an earlier run of this process has opened, by purpose.
struct NodeSockets {
    /// The names of the sockets that an earlier run of this process has opened itself.
    private enum OwnName {
        static let port = "baton-own-port", home = "baton-own-home", spare = "baton-own-spare"
    }

    /// Whether this process continues an earlier run, so that all sockets are there.
    let isContinued: Bool
    /// The sockets to which other devices connect.
    let ports: [Listener]
    /// The sockets to which apps connect.
    private let local: [Listener]

    init(of home: Home, on loop: EventLoop) throws(LocalFailure) {
        do throws(NetworkError) {
            let all = try PassedSockets.listeners(on: loop)
            isContinued = all.contains { $0.passedName?.hasPrefix("baton-own-") ?? false }
            for listener in all {
                switch listener.passedName {
                case OwnName.home: try listener.adoptFile(at: home.socket)
                case OwnName.spare: try listener.adoptFile(at: home.spareSocket ?? home.socket)
                default: break
                }
            }
            (ports, local) = (all.filter { $0.address != nil }, all.filter { $0.address == nil })
        } catch {
            throw LocalFailure(.failed, "\(error)\nInstall the service again with `baton service install`.")
        }
    }

    /// Returns the name under which the next run of this process gets a socket.
    static func name(of listener: Listener, in home: Home) -> String {
        switch (listener.passedName, listener.ownPath) {
        case (_, home.socket?): OwnName.home
        case (_, .some): OwnName.spare
        case (let name?, nil): name
        case (nil, nil): OwnName.port
        }
    }

    /// Returns the local sockets of a home.
    ///
    /// If the service manager passed a socket, it is used. Otherwise, a new socket is created.
    ///
    /// If the passed socket is in the folder of a session, a new socket in the home is added. Programs of other
    /// sessions look only in the home.
    func local(of home: Home, on loop: EventLoop) throws(LocalFailure) -> [Listener] {
        // The earlier run has checked all sockets.
        if isContinued, !local.isEmpty { return local }
        guard let listener = local.first else {
            do throws(NetworkError) {
                return [try Self.own(of: home, on: loop)]
            } catch  where error.code == .readOnly || error.code == .permission {
                let folder = ReadOnlyDisk.folder(of: home.runtime)
                let advice = folder.map { "\n" + home.advice(readOnly: $0) } ?? ""
                throw LocalFailure(
                    .failed,
                    "\(error)\nThe node must be able to write there, so that apps can connect to it.\(advice)"
                )
            } catch {
                throw LocalFailure(error, home)
            }
        }
        let isInHome = listener.isPassed(atUnix: home.socket)
        let isSpare = home.spareSocket.map { listener.isPassed(atUnix: $0) } ?? false
        guard local.count == 1, isInHome || isSpare else {
            let paths = local.compactMap(\.pathPassed).joined(separator: " and ")
            throw LocalFailure(
                .failed,
                "The service manager passed the socket \(paths), but apps of this home use \(home.socket).\n"
                    + "Install the service again with `baton service install\(home.option)`.")
        }
        do throws(NetworkError) {
            try PrivateFolder.demand(isInHome ? home.socketFolder : home.runtime)
        } catch {
            throw LocalFailure(error, home)
        }
        return isInHome ? [listener] : [listener] + (try Self.inside(home, on: loop))
    }

    /// Creates the local socket in a home.
    ///
    /// Returns no socket if the disk of the home can't hold one.
    private static func inside(_ home: Home, on loop: EventLoop) throws(LocalFailure) -> [Listener] {
        do throws(NetworkError) {
            return [try Listener(atUnix: home.socket, on: loop)]
        } catch  where ofDisksWithoutSockets.contains(error.code) {
            return []
        } catch {
            throw LocalFailure(error, home)
        }
    }

    /// The errors of a disk that can't be written, is full, or does not support sockets.
    private static let ofDisksWithoutSockets: [NetworkError.Code] = [
        .readOnly, .permission, .unsupported, .exhausted,
    ]

    /// Creates the local socket of a home.
    ///
    /// The socket is outside of the home only if the disk of the home can't hold it.
    private static func own(of home: Home, on loop: EventLoop) throws(NetworkError) -> Listener {
        do throws(NetworkError) {
            return try Listener(atUnix: home.socket, on: loop)
        } catch {
            guard ofDisksWithoutSockets.contains(error.code), let spare = home.spareSocket
            else { throw error }
            return try Listener(atUnix: spare, on: loop)
        }
    }
}

extension SignalWatch.Signal {
    /// The meaning of the signal, in words for the log.
    var words: String {
        switch self {
        case .terminate: "received SIGTERM"
        case .interrupt: "received SIGINT"
        case .hangUp: "received SIGHUP, since the terminal was closed"
        }
    }
}
