package import BatonCore
import BatonNetwork
import Glibc

/// The app instance on whose behalf the command acts: by default, the shell in which the command was typed.
package struct ShellInstance: Equatable, Sendable {
    /// The name of the instance.
    package private(set) var name: String
    /// The process whose end also ends the activity of the instance; nil if the activity lasts until it is finished.
    package let process: ProcessName?

    /// The identifier of the app that all shells belong to.
    package static let app = PersonalShell.app
    /// The identifier of the app that `baton run-with` acts as; a node can ask its process to save.
    package static let runningApp = "org.baton.run"

    /// Creates an instance with a name that a person chose; it does not end with a process.
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

    /// Returns the instance with this name, or without a name, the instance of the shell or program that started the
    /// command.
    package static func meant(by name: String?, kind: String = "shell") throws(LocalFailure) -> ShellInstance
    {
        if let name { return ShellInstance(named: try demandText(name)) }
        return try parent(kind)
    }

    /// Returns the instance of this process, if this process runs a command for the person.
    package static func own() throws(LocalFailure) -> ShellInstance { ShellInstance(try ownName(), "run") }

    /// Returns the instance of this process, if this process is an app.
    package static func ownApp() throws(LocalFailure) -> ShellInstance { ShellInstance(try ownName(), "app") }

    /// Returns the instance of this process, if it offers a stream; without a name, the process identifies the
    /// instance.
    package static func stream(_ name: String?) throws(LocalFailure) -> ShellInstance {
        let process = try ownName()
        var instance = ShellInstance(process, "stream")
        if let name { instance.name = try demandText(name) }
        return instance
    }

    /// Returns the instance of a shell that Baton follows; nil if the shell has ended.
    ///
    /// The commands that are typed in the shell use another instance.
    package static func followed(_ number: Int32) throws(LocalFailure) -> ShellInstance? {
        try name(of: number).map { ShellInstance($0, PersonalShell.followedPrefix) }
    }

    /// Returns the instance of the parent process as a shell that Baton follows; nil if the parent can't be seen.
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
    /// If the parent is in another process namespace, as with `docker exec`, shells can't be told apart. They all share
    /// one instance, `console`, whose activity lasts until it is finished.
    private static func parent(_ kind: String) throws(LocalFailure) -> ShellInstance {
        let number = getppid()
        guard number > 0 else { return ShellInstance(named: "console") }
        guard let name = try name(of: number) else {
            throw LocalFailure(.failed, "The shell that started this command has ended.")
        }
        return ShellInstance(name, kind)
    }

    /// Returns a name of a process that no other process will ever have; nil if the process has ended.
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
