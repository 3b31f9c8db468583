package import BatonCore
import Glibc

/// The status of the service that runs the node of a home.
package struct ServiceStatus: Equatable, Sendable {
    package var name: String
    /// The path of the service's unit, or nil if the service is not installed.
    package var file: String?
    /// The information of the service manager, or nil if the manager can't be reached.
    package var manager: Manager?
    /// The reason why the service manager can't be reached, or nil if it can be.
    package var trouble: String?
    /// Whether the service also runs while the person is logged out, or nil if this is unknown.
    package var isLingering: Bool?
    /// The state of `baton embed` as the service manager names it, or nil if it is not installed as a service.
    package var embedding: String?
    /// The state of `baton watch --notify` as the service manager names it, or nil if it is not installed as a service.
    package var notifying: String?

    /// The information that the service manager has about the service and its sockets.
    package struct Manager: Equatable, Sendable {
        /// Whether the service starts when the person logs in.
        package var isEnabled: Bool
        /// The state as the service manager names it, such as `active` or `failed`.
        package var state: String
        /// The reason why the service failed, as the service manager names it.
        package var result: String
        /// The exit status of the service's last process.
        package var lastExit: Int32
        /// The time when the state last changed.
        package var since: WallTime?
        package var process: Int32?
        /// The status text that the node itself has set.
        package var text: String?
        /// How often the service was restarted after a failure.
        package var restarts: Int
        /// Whether the service manager listens on the service's sockets.
        package var isListening: Bool
    }

    /// Asks the service manager about the service of a home.
    ///
    /// `person` is the name of the user who runs the service.
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
        // The unit was written in another folder. The service manager knows its path.
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

    /// Whether the user lingers, which means that their services run while they are logged out.
    ///
    /// For each such user, the login manager has a file with the user's name.
    private static func isLingering(_ person: String) -> Bool? {
        guard !person.contains("/"), access("/run/systemd/system", F_OK) == 0 else { return nil }
        return access("/var/lib/systemd/linger/\(person)", F_OK) == 0
    }
}

extension ServiceStatus.Manager {
    /// Reads the properties of the service, which are given by their names.
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

    /// The reason why the node could not be started, and what to do about it; nil if it is unknown.
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
