package import BatonCore
import BatonNetwork
import Glibc

/// The app instance that the command acts for: by default the shell in which it was typed.
package struct ShellInstance: Equatable, Sendable {
    /// The name of the instance.
    package private(set) var name: String
    /// The process with which its activity ends; nil if the activity lasts until it is finished.
    package let process: ProcessName?

    /// The app of shells.
    package static let app = PersonalShell.app
    /// The app of `baton run-with`, whose process can be asked to save.
    package static let runningApp = "org.baton.run"

    /// Creates an instance that a person has named, and that does not end with a process.
    package init(named name: String) { (self.name, process) = (name, nil) }

    /// Returns a name that a person chose; throws if it is empty.
    private static func demandText(_ name: String) throws(LocalFailure) -> String {
        guard !name.isEmpty else { throw LocalFailure(.usage, "The name after --instance is empty.") }
        return name
    }

    /// Creates the instance of a process.
    init(_ process: ProcessName, _ kind: String) {
        (name, self.process) = ("\(kind)-\(process.number)-\(process.started)", process)
    }

    /// Returns the instance of that name; without a name, the instance of the shell or program that started the
    /// command.
    package static func meant(by name: String?, kind: String = "shell") throws(LocalFailure) -> ShellInstance
    {
        if let name { return ShellInstance(named: try demandText(name)) }
        return try parent(kind)
    }

    /// Returns the instance of this process, which runs a command.
    package static func own() throws(LocalFailure) -> ShellInstance { ShellInstance(try ownName(), "run") }

    /// Returns the instance of this process, which is an app.
    package static func ownApp() throws(LocalFailure) -> ShellInstance { ShellInstance(try ownName(), "app") }

    /// Returns the instance of this process, which offers a stream, under that name or a name of its own.
    package static func stream(_ name: String?) throws(LocalFailure) -> ShellInstance {
        let process = try ownName()
        var instance = ShellInstance(process, "stream")
        if let name { instance.name = try demandText(name) }
        return instance
    }

    /// Returns the instance of a followed shell, which differs from the instance of the commands typed in it; nil if
    /// the shell has ended.
    package static func followed(_ number: Int32) throws(LocalFailure) -> ShellInstance? {
        try name(of: number).map { ShellInstance($0, PersonalShell.followedPrefix) }
    }

    /// Returns the instance of the shell that started this process, as a followed shell; nil if it can't be seen.
    package static func followedParent() throws(LocalFailure) -> ShellInstance? {
        let parent = getppid()
        return parent > 0 ? try followed(parent) : nil
    }

    private static func ownName() throws(LocalFailure) -> ProcessName {
        guard let name = try name(of: getpid()) else {
            throw LocalFailure(
                .failed, "This process is not in /proc. Mount the /proc of this process namespace first.")
        }
        return name
    }

    /// Returns the instance of the parent process.
    ///
    /// If the parent is in another process namespace, as with `docker exec`, shells can't be told apart. They all use
    /// one instance, the console, whose activity lasts until it is finished.
    private static func parent(_ kind: String) throws(LocalFailure) -> ShellInstance {
        let number = getppid()
        guard number > 0 else { return ShellInstance(named: "console") }
        guard let name = try name(of: number) else {
            throw LocalFailure(.failed, "The shell that started this command has ended.")
        }
        return ShellInstance(name, kind)
    }

    /// Returns a process's name, which no other process ever has; nil if the process has ended.
    private static func name(of number: pid_t) throws(LocalFailure) -> ProcessName? {
        do throws(NetworkError) {
            return try ProcessIdentity.find(number).map {
                ProcessName(number: $0.processID, started: $0.startTicks, boot: $0.bootID)
            }
        } catch {
            throw LocalFailure(
                .failed,
                "The shell that started this command can't be identified: \(error)\nChoose a name with --instance NAME."
            )
        }
    }
}
