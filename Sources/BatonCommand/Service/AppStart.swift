import BatonClient
package import BatonCore
@preconcurrency import Glibc

/// Starts an app that has a manifest, as a service of the person's session.
///
/// The person's service manager starts the app. So the app is not a child of this command and does not end with it, and
/// it has the environment of the session. If no service manager runs, the app is started in a session of its own.
package struct AppStart {
    private let app: String
    private let program: [String]
    private let variables: [(name: String, value: String)]

    /// The constant `POSIX_SPAWN_SETSID` of C, which Swift does not import.
    private static let newSession: Int16 = 0x80

    /// Prepares to start a program of an app.
    ///
    /// The program gets these variables and those of the session.
    package init(_ app: String, _ program: [String], variables: [(name: String, value: String)]) {
        (self.app, self.program, self.variables) = (app, program, variables)
    }

    /// Starts the app, without waiting for it.
    package func begin() throws(LocalFailure) {
        let settings = variables.map { "--setenv=\($0.name)=\($0.value)" }
        let manager = ProgramOutput(
            of: ["systemd-run", "--user", "--quiet", "--collect", "--slice=app.slice", "--unit=\(unit)"]
                + settings + ["--"] + program)
        if manager?.status != 0 { try beginAlone() }
    }

    /// A name for the unit, which no other unit has.
    private var unit: String {
        let name = app.unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || "0"..."9" ~= scalar || scalar == ".")
                ? Character(scalar) : "_"
        }
        return "app-baton-\(String(name))-\(getpid())"
    }

    /// Starts the app in a new session, without a terminal.
    private func beginAlone() throws(LocalFailure) {
        guard let path = program.first else { return }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Self.newSession)
        let names = Set(variables.map(\.name))
        let inherited = Environment.all.filter { entry in !names.contains { entry.hasPrefix("\($0)=") } }
        let words = program.map { strdup($0) } + [nil]
        let environment = (inherited + variables.map { "\($0.name)=\($0.value)" }).map { strdup($0) } + [nil]
        defer { for text in words + environment { free(text) } }
        var process = pid_t()
        let number = posix_spawn(&process, path, &actions, &attributes, words, environment)
        guard number == 0 else { throw ProgramStart.failure(path, number) }
    }
}

extension Environment {
    /// All variables of this process, as texts of the form `NAME=VALUE`.
    fileprivate static var all: [String] {
        var (all, place): ([String], UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) = ([], environ)
        while let text = place?.pointee {
            all.append(String(cString: text))
            place = place?.advanced(by: 1)
        }
        return all
    }
}
