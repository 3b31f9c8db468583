import BatonLogin
package import Glibc
import Synchronization

/// logind as a test wants it.
package final class FakeLogind: Sendable {
    /// The session that logind knows.
    package struct Session: Sendable {
        /// The owner.
        package var user = getuid()
        package var isLocked = false
        package var state = "active"
        /// The class of the session: `user`, or `background` for a job of cron.
        package var kind = "user"
        /// Whether the session that the user sees is locked, if it is another one.
        package var isShownLocked = false
        /// Whether the caller runs in the session; otherwise it is only the session that the user sees.
        package var holdsCaller = true

        package init() {}
    }

    private let shared: SharedSession
    private let service: FakeBusService

    /// Answers on a bus with a session; with nil, nobody is logged in.
    package init(on bus: PrivateBus, _ session: Session?) throws {
        let state = SharedSession(session)
        shared = state
        service = try FakeBusService("org.freedesktop.login1", at: bus.address) { path, method, arguments in
            Self.answer(state.value.withLock { $0 }, path, method, arguments)
        }
    }

    /// Changes the session.
    package func change(_ body: (inout Session) -> Void) {
        shared.value.withLock { session in if session != nil { body(&session!) } }
    }

    /// The session, which the thread of the service reads.
    private final class SharedSession: Sendable {
        let value: Mutex<Session?>
        init(_ session: Session?) { value = Mutex(session) }
    }

    private static let path = "/org/freedesktop/login1/session/_31"
    /// The session that the user sees, if the caller runs in one of another class.
    private static let shownPath = "/org/freedesktop/login1/session/_32"
    private static let userPath = "/org/freedesktop/login1/user/self"

    private static func answer(
        _ session: Session?, _ path: String, _ method: String, _ arguments: [BusValue]
    ) -> FakeBusService.Reply {
        switch (method, arguments.last?.text) {
        case ("GetSessionByPID", _):
            guard session?.holdsCaller == true else {
                return .error(name: "org.freedesktop.login1.NoSessionForPID", message: "No session.")
            }
            return .values([.path(Self.path)])
        case ("GetUser", _):
            guard session != nil else {
                return .error(name: "org.freedesktop.login1.NoSuchUser", message: "No user.")
            }
            return .values([.path(userPath)])
        case ("Get", "Display") where path == userPath:
            let shown = session?.kind == "user" ? Self.path : shownPath
            return .values([.variant(.structure([.text("1"), .path(shown)]))])
        case ("Get", let name?) where path == Self.path:
            guard let session, let value = property(name, session) else { break }
            return .values([.variant(value)])
        case ("Get", let name?) where path == shownPath:
            guard var shown = session else { break }
            (shown.kind, shown.isLocked) = ("user", shown.isShownLocked)
            guard let value = property(name, shown) else { break }
            return .values([.variant(value)])
        default: break
        }
        return .error(name: "org.freedesktop.DBus.Error.UnknownMethod", message: "Unknown: \(method)")
    }

    private static func property(_ name: String, _ session: Session) -> BusValue? {
        switch name {
        case "User": .structure([.unsigned32(session.user), .path(userPath)])
        case "LockedHint": .flag(session.isLocked)
        case "State": .text(session.state)
        case "Class": .text(session.kind)
        default: nil
        }
    }
}
