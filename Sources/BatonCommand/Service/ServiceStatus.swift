package import BatonCore
import Glibc

/// The status of the service of a home.
package struct ServiceStatus: Equatable, Sendable {
    package var name: String
    /// The path of its unit, or nil if it is not installed.
    package var file: String?
    /// The manager's information, or nil if the manager can't be reached.
    package var manager: Manager?
    /// Why the manager can't be reached.
    package var trouble: String?
    /// Whether the service runs while the person is logged out, or nil if that is unknown.
    package var isLingering: Bool?
    /// The state of `baton embed` in the manager's words, or nil if it is not installed as a service.
    package var embedding: String?
    /// The state of `baton watch --notify` in the manager's words, or nil if it is not installed as a service.
    package var notifying: String?

    /// The manager's information about the units.
    package struct Manager: Equatable, Sendable {
        /// Whether the service starts when the person logs in.
        package var isEnabled: Bool
        /// The state in the manager's words, such as `active` or `failed`.
        package var state: String
        /// The result in the manager's words, which tells why the service failed.
        package var result: String
        /// The exit status of the last process.
        package var lastExit: Int32
        /// When the state last changed.
        package var since: WallTime?
        package var process: Int32?
        /// The status text that the node has set.
        package var text: String?
        /// The number of restarts after failures.
        package var restarts: Int
        /// Whether the manager listens on the sockets.
        package var isListening: Bool
    }

    /// Asks the manager about the service of a home; `person` is the name of the user to whom the service belongs.
    package init(
        of home: Home, in folder: UnitFolder, _ control: SystemControl, person: String?
    ) throws(LocalFailure) {
        name = ServiceUnits.name(of: home)
        let (service, socket) = (name + ServiceUnits.suffixes.service, name + ServiceUnits.suffixes.socket)
        file = folder.find(service) == .nothing ? nil : folder.path(of: service)
        isLingering = person.flatMap(Self.isLingering)
        trouble = control.trouble
        guard trouble == nil else { return }
        let known = try control.properties(Self.properties, of: service)
        let sockets = try control.properties(["ActiveState"], of: socket)
        // The manager knows the path of a unit that was written elsewhere.
        if file == nil, let path = known["FragmentPath"], !path.isEmpty { file = path }
        manager = Manager(known, isListening: sockets["ActiveState"] == "active")
        let embed = name + ServiceUnits.suffixes.embedding
        if folder.find(embed) != .nothing {
            embedding = try control.properties(["ActiveState"], of: embed)["ActiveState"]
        }
        let notify = name + ServiceUnits.suffixes.notifying
        if folder.find(notify) != .nothing {
            notifying = try control.properties(["ActiveState"], of: notify)["ActiveState"]
        }
    }

    private static let properties = [
        "ActiveState", "UnitFileState", "Result", "ExecMainStatus", "StateChangeTimestamp", "MainPID",
        "StatusText",
        "NRestarts", "FragmentPath",
    ]

    /// Whether the person lingers: the system's login manager then has a file with their name.
    private static func isLingering(_ person: String) -> Bool? {
        guard !person.contains("/"), access("/run/systemd/system", F_OK) == 0 else { return nil }
        return access("/var/lib/systemd/linger/\(person)", F_OK) == 0
    }
}

extension ServiceStatus.Manager {
    /// Reads the properties of the service by their names.
    package init(_ known: [String: String], isListening: Bool) {
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

    /// Why the node could not be started, and what to do.
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
