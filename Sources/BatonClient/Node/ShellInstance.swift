package import BatonCore
import BatonNetwork
import Glibc

/// The app instance for which the command speaks: the shell in which it was typed.
package struct ShellInstance: Equatable, Sendable {
    /// The name of the instance.
    package private(set) var name: String
    /// The process with which its activity ends; nothing if it lasts until it is finished.
    package let process: ProcessName?

    /// The app as which the command speaks.
    package static let app = "org.baton.shell"
    /// The app as which it speaks while it runs another command, and can be asked to save.
    package static let runningApp = "org.baton.run"

    /// An instance that was named on purpose: no process stands behind it.
    package init(named name: String) { (self.name, process) = (name, nil) }

    /// The instance of a process.
    init(_ process: ProcessName, _ kind: String) {
        (name, self.process) = ("\(kind)-\(process.number)-\(process.started)", process)
    }

    /// The instance of that name, else the shell in which the command was typed, or the program that started it.
    package static func meant(by name: String?, kind: String = "shell") throws(LocalFailure) -> ShellInstance
    {
        if let name { return ShellInstance(named: name) }
        return try parent(kind)
    }

    /// This process, as one that runs a command.
    package static func own() throws(LocalFailure) -> ShellInstance { ShellInstance(try ownName(), "run") }

    /// This process, as one that offers its input and output under that name, or one of its own.
    package static func stream(_ name: String?) throws(LocalFailure) -> ShellInstance {
        let process = try ownName()
        var instance = ShellInstance(process, "stream")
        if let name { instance.name = name }
        return instance
    }

    private static func ownName() throws(LocalFailure) -> ProcessName {
        guard let name = try name(of: getpid()) else {
            throw LocalFailure(
                .failed, "This process is not in /proc. Mount the /proc of this process namespace first.")
        }
        return name
    }

    /// The process that started this one.
    ///
    /// Where that is not of our process namespace (as for `docker exec`), nothing tells one shell from another: all of
    /// them are the console, whose activity lasts until it is finished.
    private static func parent(_ kind: String) throws(LocalFailure) -> ShellInstance {
        let number = getppid()
        guard number > 0 else { return ShellInstance(named: "console") }
        guard let name = try name(of: number) else {
            throw LocalFailure(.failed, "The shell in which this was typed has ended.")
        }
        return ShellInstance(name, kind)
    }

    /// What names a process for good; nothing if it has ended.
    private static func name(of number: pid_t) throws(LocalFailure) -> ProcessName? {
        do throws(NetworkError) {
            return try ProcessIdentity.find(number).map {
                ProcessName(number: $0.processID, started: $0.startTicks, boot: $0.bootID)
            }
        } catch {
            throw LocalFailure(
                .failed,
                "The shell in which this was typed can't be told: \(error)\nName one with --instance NAME.")
        }
    }
}
