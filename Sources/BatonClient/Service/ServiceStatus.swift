package import BatonCore
import Glibc

/// How it stands with the service of a home.
package struct ServiceStatus: Equatable, Sendable {
    package var name: String
    /// Where its unit stands; nothing if it is not installed.
    package var file: String?
    /// What the manager knows; nothing if none answers.
    package var manager: Manager?
    /// Why none does.
    package var trouble: String?
    /// Whether it runs also while the person is logged out; nothing if that is not known.
    package var isLingering: Bool?

    /// What a manager knows of the units.
    package struct Manager: Equatable, Sendable {
        /// Whether it is started when the person logs in.
        package var isEnabled: Bool
        /// The state, as the manager calls it, such as `active` or `failed`.
        package var state: String
        /// Why it failed, in the manager's word, if it did.
        package var result: String
        /// The status with which the last process ended.
        package var lastExit: Int32
        /// Since when the state is what it is.
        package var since: WallTime?
        package var process: Int32?
        /// What the node says of itself.
        package var text: String?
        /// How often it was started again after a failure.
        package var restarts: Int
        /// Whether the manager waits for callers.
        package var isListening: Bool
    }

    /// Asks about the service of a home.
    package init(of home: Home, in folder: UnitFolder, _ control: SystemControl) throws(LocalFailure) {
        name = ServiceUnits.name(of: home)
        let (service, socket) = (name + ServiceUnits.suffixes.service, name + ServiceUnits.suffixes.socket)
        file = folder.find(service) == .nothing ? nil : folder.path(of: service)
        isLingering = Self.isLingering
        trouble = control.trouble
        guard trouble == nil else { return }
        let known = try control.properties(Self.properties, of: service)
        let sockets = try control.properties(["ActiveState"], of: socket)
        // Of one that was made elsewhere the manager knows where it stands.
        if file == nil, let path = known["FragmentPath"], !path.isEmpty { file = path }
        manager = Manager(known, isListening: sockets["ActiveState"] == "active")
    }

    private static let properties = [
        "ActiveState", "UnitFileState", "Result", "ExecMainStatus", "StateChangeTimestamp", "MainPID",
        "StatusText",
        "NRestarts", "FragmentPath",
    ]

    /// The system's login manager notes it as a file with the person's name.
    private static var isLingering: Bool? {
        guard let person = getpwuid(getuid()) else { return nil }
        guard access("/run/systemd/system", F_OK) == 0 else { return nil }
        return access("/var/lib/systemd/linger/\(String(cString: person.pointee.pw_name))", F_OK) == 0
    }
}

extension ServiceStatus.Manager {
    init(_ known: [String: String], isListening: Bool) {
        isEnabled = known["UnitFileState"] == "enabled"
        (state, result) = (known["ActiveState"] ?? "unknown", known["Result"] ?? "success")
        lastExit = known["ExecMainStatus"].flatMap { Int32($0) } ?? 0
        since = known["StateChangeTimestamp"].flatMap { text in
            text.hasPrefix("@") ? Int64(text.dropFirst()).map { WallTime(milliseconds: $0 * 1000) } : nil
        }
        process = known["MainPID"].flatMap { Int32($0) }.flatMap { $0 > 0 ? $0 : nil }
        text = known["StatusText"].flatMap { $0.isEmpty ? nil : $0 }
        restarts = known["NRestarts"].flatMap { Int($0) } ?? 0
        self.isListening = isListening
    }

    /// Why the node can't run, where the manager could not even begin it.
    package var explanation: String? {
        switch lastExit {
        case 203: "its program was moved or removed; type `baton service install` again"
        case 217, 218, 226:
            "this machine does not allow the sandbox of the service; type `baton service install --no-sandbox`"
        case let status where status > 0:
            LocalFailure.Code(rawValue: UInt64(status)).map {
                "the node ended with status \(status): \($0.meaning)"
            }
        default: nil
        }
    }
}
