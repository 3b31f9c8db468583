import Glibc

/// The reason why a message bus, or a service on it, gave no answer that can be used.
package enum BusError: Error, Hashable, Sendable {
    /// A call of the library failed; the number is an `errno`.
    case system(number: Int32, operation: String)
    /// The service, or the bus in its place, answered with an error.
    case refused(name: String, message: String)
    /// The service answered with values of another kind than its interface has.
    case unexpected(operation: String)

    /// Throws if a result of libsystemd is negative; returns the result otherwise.
    @discardableResult
    static func check(_ result: Int32, _ operation: @autoclosure () -> String) throws(BusError) -> Int32 {
        guard result < 0 else { return result }
        throw .system(number: -result, operation: operation())
    }

    /// The errors by which a bus says that it has no such service, or that the service can't be started.
    private static let absences: Set<String> = [
        "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
        "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout",
        "org.freedesktop.DBus.Error.TimedOut", "org.freedesktop.DBus.Error.Disconnected",
        "org.freedesktop.DBus.Error.Spawn.ServiceNotFound", "org.freedesktop.DBus.Error.Spawn.ChildExited",
        "org.freedesktop.DBus.Error.Spawn.ChildSignaled", "org.freedesktop.DBus.Error.Spawn.ExecFailed",
        "org.freedesktop.systemd1.NoSuchUnit", "org.freedesktop.systemd1.UnitMasked",
    ]

    /// Whether no answer came within the time of the call.
    package var isTimeout: Bool {
        switch self {
        case .system(let number, _): number == ETIMEDOUT
        case .refused(let name, _): name == "org.freedesktop.DBus.Error.Timeout"
        case .unexpected: false
        }
    }

    /// Whether nothing answers: there is no bus, or no such service on it.
    package var isAbsence: Bool {
        switch self {
        case .system: true
        case .refused(let name, _): Self.absences.contains(name)
        case .unexpected: false
        }
    }
}

extension BusError: CustomStringConvertible {
    /// The error in words.
    package var description: String {
        switch self {
        case .system(let number, let operation):
            "Failed to \(operation): \(unsafe String(cString: strerror(number)))"
        case .refused(let name, let message): message.isEmpty ? name : message
        case .unexpected(let operation): "The answer can't be understood (\(operation))"
        }
    }
}
