package import BatonCore
import BatonNetwork
import Glibc

/// The app instance for which the command speaks: the shell in which it was typed.
package struct ShellInstance: Equatable, Sendable {
    /// The name of the instance.
    package let name: String
    /// The process with which its activity ends; nothing if it lasts until it is finished.
    package let process: ProcessName?

    /// The app as which the command speaks.
    package static let app = "org.baton.shell"

    /// An instance that was named on purpose: no process stands behind it.
    package init(named name: String) { (self.name, process) = (name, nil) }

    /// The instance of a process.
    init(_ process: ProcessName) {
        (name, self.process) = ("shell-\(process.number)-\(process.started)", process)
    }

    /// The instance of that name, else the shell in which the command was typed.
    package static func meant(by name: String?) throws(LocalFailure) -> ShellInstance {
        if let name { return ShellInstance(named: name) }
        return try parent()
    }

    /// The process that started this one.
    ///
    /// Where that is not of our process namespace (as for `docker exec`), nothing tells one shell from another: all of
    /// them are the console, whose activity lasts until it is finished.
    private static func parent() throws(LocalFailure) -> ShellInstance {
        let number = getppid()
        guard number > 0 else { return ShellInstance(named: "console") }
        let identity: ProcessIdentity?
        do throws(NetworkError) {
            identity = try ProcessIdentity.find(number)
        } catch {
            throw LocalFailure(
                .failed,
                "The shell in which this was typed can't be told: \(error)\nName one with --instance NAME.")
        }
        guard let identity else {
            throw LocalFailure(.failed, "The shell in which this was typed has ended.")
        }
        return ShellInstance(
            ProcessName(number: identity.processID, started: identity.startTicks, boot: identity.bootID))
    }
}
