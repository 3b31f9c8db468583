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
    /// The connection whose writing end makes the machine wait before it sleeps.
    private let inhibitor: (reading: Int32, writing: Int32)
    private let isReleased = Mutex(false)

    /// Answers on a bus with a session; with nil, nobody is logged in.
    package init(on bus: PrivateBus, _ session: Session?) throws {
        let state = SharedSession(session)
        shared = state
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        precondition(socketpair(AF_UNIX, kind, 0, &ends) == 0, "sockets can be made")
        let inhibitor = (reading: ends[0], writing: ends[1])
        self.inhibitor = inhibitor
        service = try FakeBusService("org.freedesktop.login1", at: bus.address) { path, method, arguments in
            if method == "Inhibit" {
                state.inhibitions.withLock { $0.append(arguments.compactMap(\.text)) }
                return .descriptor(inhibitor.writing)
            }
            return Self.answer(state.value.withLock { $0 }, path, method, arguments)
        }
    }

    deinit {
        close(inhibitor.reading)
        closeOwnEnd()
    }

    /// The delays that programs asked for, with their reasons.
    package var inhibitions: [[String]] { shared.inhibitions.withLock { $0 } }

    // MARK: Signals

    /// Announces that the machine is about to sleep, or that it has woken up.
    package func announceSleep(_ isBeginning: Bool) {
        service.signal(
            "PrepareForSleep", of: Self.manager, at: Self.managerPath, [.flag(isBeginning)])
    }

    /// Changes the session, and tells that its screen was locked or unlocked.
    package func setLocked(_ isLocked: Bool) {
        change { $0.isLocked = isLocked }
        let changed = BusValue.details([("LockedHint", .flag(isLocked))])
        service.signal(
            "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: Self.path,
            [.text("org.freedesktop.login1.Session"), changed, .list([], of: "s")])
    }

    /// Asks the program of a screen to lock it, as `loginctl lock-session` does.
    package func requestLock(ofOther isOther: Bool = false) {
        let path = isOther ? "/org/freedesktop/login1/session/_39" : Self.path
        service.signal("Lock", of: "org.freedesktop.login1.Session", at: path, [])
    }

    /// Ends a session of the user, or one of somebody else.
    package func endSession(ofOther isOther: Bool = false) {
        if !isOther { shared.value.withLock { $0 = nil } }
        service.signal(
            "SessionRemoved", of: Self.manager, at: Self.managerPath, [.text("1"), .path(Self.path)])
    }

    private func closeOwnEnd() {
        isReleased.withLock { isReleased in
            if !isReleased { close(inhibitor.writing) }
            isReleased = true
        }
    }

    /// Whether no program makes the machine wait any more; the test's own end of the pipe is closed by the call.
    package func isInhibitorReleased() -> Bool {
        closeOwnEnd()
        var descriptor = pollfd(fd: inhibitor.reading, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, 30_000) == 1 && descriptor.revents & Int16(POLLHUP) != 0
    }

    private static let manager = "org.freedesktop.login1.Manager"
    private static let managerPath = "/org/freedesktop/login1"

    /// Changes the session.
    package func change(_ body: (inout Session) -> Void) {
        shared.value.withLock { session in if session != nil { body(&session!) } }
    }

    /// The session, which the thread of the service reads.
    private final class SharedSession: Sendable {
        let value: Mutex<Session?>
        let inhibitions = Mutex<[[String]]>([])
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
