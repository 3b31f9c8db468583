package import BatonCore
import Glibc

/// The state of the service that runs the node.
package enum ServiceState: Equatable, Sendable {
    case notInstalled
    /// There is no service manager, so the service is not installed.
    case noManager
    /// The service is installed, but the service manager can't be reached.
    case managerSilent(String)
    case running(process: Int32?, isSandboxed: Bool, isLingering: Bool?)
    /// The service is installed, but another process answers as the node.
    case otherProcess(Int32)
    /// The node is stopped.
    ///
    /// If the service's sockets are open, the next connection starts the node.
    case stopped(isListening: Bool)
    /// The system does not allow the sandbox that the unit asks for.
    case sandboxRefused
    /// The node's program is not at the path that the unit names.
    case programMissing
    /// The node has failed, for this reason.
    case failed(String)
    /// The state of the service could not be determined.
    case unknown(String)

    /// Examines the service of a home.
    ///
    /// `node` is the process that answers as the node, if one does.
    package init(
        examining home: Home, node: Int32?, environment: (String) -> String?
    ) {
        do throws(LocalFailure) {
            let folder = try UnitFolder(environment: environment)
            let home = try home.absolute(environment: environment)
            let status = try ServiceStatus(
                of: home, in: folder, .real, person: UserEntry.ownName(environment: environment))
            let unit: String
            if case .own(let text) = folder.find(status.name + ServiceUnits.suffixes.service) {
                unit = text
            } else {
                unit = ""
            }
            self.init(
                file: status.file, manager: status.manager, trouble: status.trouble,
                isLingering: status.isLingering, unit: unit, node: node)
        } catch {
            self = .unknown(error.description)
        }
    }

    /// Decides by the manager's answers and the unit's text, which is empty if this program did not write the unit.
    package init(
        file: String?, manager: ServiceStatus.Manager?, trouble: String?, isLingering: Bool?, unit: String,
        node: Int32?
    ) {
        guard file != nil else {
            self = manager == nil ? .noManager : .notInstalled
            return
        }
        guard let manager else {
            self = .managerSilent(trouble ?? "it does not answer")
            return
        }
        let hasFailed = manager.state == "failed" || manager.state == "activating" && manager.restarts > 0
        self =
            switch manager.lastExit {
            case 203 where hasFailed: .programMissing
            case 217 where hasFailed, 218 where hasFailed, 226 where hasFailed: .sandboxRefused
            case _ where hasFailed:
                .failed(manager.explanation ?? "the manager reports: \(manager.result)")
            default: Self.standing(manager, isLingering, unit: unit, node: node)
            }
    }

    private static func standing(
        _ manager: ServiceStatus.Manager, _ isLingering: Bool?, unit: String, node: Int32?
    ) -> ServiceState {
        if manager.state == "active" {
            if let node, let process = manager.process, node != process { return .otherProcess(node) }
            return .running(
                process: manager.process, isSandboxed: unit.contains("ProtectSystem=strict"),
                isLingering: isLingering)
        }
        return node.map { .otherProcess($0) } ?? .stopped(isListening: manager.isListening)
    }

    package func finding(of home: Home) -> Finding {
        let (option, name) = (home.option, ServiceUnits.name(of: home))
        return switch self {
        case .notInstalled:
            Finding(
                .service, "notInstalled", .note, "service", "not installed",
                advice:
                    "Type `baton service install\(option)` to have the node run whenever you are logged in.")
        case .noManager:
            Finding(
                .service, "noManager", .note, "service",
                "not installed, and there is no service manager here; `baton node\(option)` runs the node")
        case .managerSilent(let text):
            Finding(
                .service, "managerSilent", .warning, "service",
                "the service manager can't be reached (\(text))",
                advice: "Run the node with `baton node\(option)` meanwhile.")
        case .running(let process, let isSandboxed, let isLingering):
            Finding(
                .service, isSandboxed ? "sandboxed" : "notSandboxed", isSandboxed ? .ok : .note, "service",
                "running\(process.map { ", process \($0)" } ?? ""), \(isSandboxed ? "in its sandbox" : "without the sandbox")"
                    + (isLingering == false
                        ? "; it stops when you log out, unless you type `loginctl enable-linger`" : ""),
                advice: isSandboxed
                    ? nil
                    : "If this machine allows user namespaces, `baton service install\(option)` adds the sandbox."
            )
        case .otherProcess(let process):
            Finding(
                .service, "otherProcess", .warning, "service",
                "installed, but the node that answers, process \(process), is another one",
                advice: "Stop that one (Ctrl+C where it runs), then type `baton service start\(option)`.")
        case .stopped(let isListening):
            Finding(
                .service, isListening ? "waiting" : "stopped", isListening ? .note : .warning, "service",
                isListening
                    ? "the node is not running; the next connection starts it" : "installed, but stopped",
                advice: isListening ? nil : "Type `baton service start\(option)`.")
        case .sandboxRefused:
            Finding(
                .service, "sandboxRefused", .problem, "service",
                "this machine does not allow the sandbox of the service",
                advice: "Type `baton service install --no-sandbox\(option)`.")
        case .programMissing:
            Finding(
                .service, "programMissing", .problem, "service", "its program was moved or removed",
                advice: "Type `baton service install\(option)` again.")
        case .failed(let text):
            Finding(
                .service, "failed", .problem, "service", "the node has failed (\(text))",
                advice: "`journalctl --user -u \(name) -n 20` shows more.")
        case .unknown(let text):
            Finding(.service, "unknown", .note, "service", "not checked (\(text))")
        }
    }
}
