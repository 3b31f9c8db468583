package import Glibc

/// The session of a person as logind knows it.
package struct LoginSession: Hashable, Sendable {
    /// The user that the session belongs to.
    package let user: uid_t
    /// Whether the screen of the session is locked.
    package let isLocked: Bool
    /// Whether the person has logged out, and only the last programs of the session still run.
    package let isClosing: Bool

    static let service = "org.freedesktop.login1"
    static let manager = "org.freedesktop.login1.Manager"
    static let managerPath = "/org/freedesktop/login1"
    static let session = "org.freedesktop.login1.Session"

    /// The errors by which logind says that a process or a user has no session.
    private static let missing: Set<String> = [
        "org.freedesktop.login1.NoSessionForPID", "org.freedesktop.login1.NoSuchSession",
        "org.freedesktop.login1.NoSuchUser", "org.freedesktop.login1.NoUserForPID",
    ]

    /// Asks logind for the session that this process runs in, as a process of a user; nil if there is none.
    ///
    /// A program that the user's service manager has started, as terminals of some desktops are, is in no session.
    /// A job of cron is in a session of its own that nobody sees. For both, the session that the user sees counts.
    package static func find(
        on bus: SystemBus, user: uid_t
    ) throws(BusError) -> LoginSession? {
        var path = try ownPath(on: bus)
        if let own = path, try !isOfPerson(own, on: bus) { path = nil }
        if path == nil { path = try shownPath(on: bus, user) }
        guard let path else { return nil }
        guard
            let owner = try property("User", of: session, at: path, on: bus).parts?.first?.number,
            let isLocked = try property("LockedHint", of: session, at: path, on: bus).flag,
            let state = try property("State", of: session, at: path, on: bus).text
        else { throw .unexpected(operation: "read the session") }
        return LoginSession(user: owner, isLocked: isLocked, isClosing: state == "closing")
    }

    /// Returns the user of the session with this object; nil if the session has ended.
    static func user(of path: String, on bus: SystemBus) throws(BusError) -> uid_t? {
        do throws(BusError) {
            return try property("User", of: session, at: path, on: bus).parts?.first?.number
        } catch {
            if case .refused = error { return nil }
            throw error
        }
    }

    /// Whether a person uses a session; the other classes are for services, and for the screens before a login.
    private static func isOfPerson(_ path: String, on bus: SystemBus) throws(BusError) -> Bool {
        guard let kind = try property("Class", of: session, at: path, on: bus).text else {
            throw .unexpected(operation: "read the class of the session")
        }
        return ["user", "user-early", "user-light", "user-early-light"].contains(kind)
    }

    /// Returns the object of the session that this process runs in.
    private static func ownPath(on bus: SystemBus) throws(BusError) -> String? {
        try unlessMissing { () throws(BusError) in
            try bus.value(
                BusCall(
                    "GetSessionByPID", of: manager, at: managerPath, service: service,
                    // Zero stands for the caller, whose number may be another one outside of a container.
                    arguments: [.unsigned32(0)])
            ).text
        }
    }

    /// Returns the object of the session that a user sees.
    private static func shownPath(on bus: SystemBus, _ user: uid_t) throws(BusError) -> String? {
        try unlessMissing { () throws(BusError) in
            let found = try bus.value(
                BusCall(
                    "GetUser", of: manager, at: managerPath, service: service,
                    arguments: [.unsigned32(user)]))
            guard let object = found.text else { throw .unexpected(operation: "find the user") }
            let shown = try property("Display", of: "org.freedesktop.login1.User", at: object, on: bus)
            guard let parts = shown.parts, parts.count == 2, let path = parts[1].text else {
                throw .unexpected(operation: "find the session of the user")
            }
            // logind writes `/` for no session.
            return path == "/" ? nil : path
        }
    }

    private static func property(
        _ name: String, of interface: String, at path: String, on bus: SystemBus
    ) throws(BusError) -> BusValue {
        try bus.value(.property(name, of: interface, at: path, service: service))
    }

    /// Returns nil if logind says that there is no session.
    private static func unlessMissing(
        _ body: () throws(BusError) -> String?
    ) throws(BusError) -> String? {
        do throws(BusError) {
            return try body()
        } catch {
            if case .refused(let name, _) = error, missing.contains(name) { return nil }
            throw error
        }
    }
}
