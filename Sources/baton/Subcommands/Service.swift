import BatonClient
import BatonCore

/// `baton service`: the node as a service of the person's service manager.
enum Service {
    /// What can be done.
    enum Action: String, CaseIterable {
        case install, uninstall, start, stop, restart, status
    }

    static var specification: CommandSpecification {
        CommandSpecification(
            "service", "Have systemd run the node whenever you are logged in.",
            operands: [.choice("ACTION", Action.allCases.map(\.rawValue))],
            options: [
                .value(
                    "listen", "ADDRESS:PORT", "where to take connections (port \(Home.port))", repeats: true),
                .flag("replace", "write over units that are not of this command"),
                .flag("print", "print the units, and do nothing"),
                .flag("no-sandbox", "do without what needs user namespaces"),
                .flag("as-root", "do it although you are root, for root's own node"),
            ], isOfAccount: false,
            notes: [
                "ACTION is one of",
                "  install    write the units, and start the node now and at each login;",
                "             once more after an upgrade, which loses no connection",
                "  uninstall  stop the node, and remove the units; your data stays",
                "  start      start the node, and open its sockets",
                "  stop       stop it, and close them: nothing starts it then",
                "  restart    start it anew; callers wait meanwhile, and are answered",
                "  status     say whether it runs, since when, and where its log is",
                "The options go with install. The service is hardened: it can write in the",
                "node's own folders alone, and `baton backup` helps it out elsewhere. Units",
                "stand in ~/.config/systemd/user (or in XDG_CONFIG_HOME). After you log out it",
                "goes on only once you have typed `loginctl enable-linger`.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        guard let action = call.arguments[0].flatMap({ Action(rawValue: $0) }) else {
            let names = Action.allCases.map(\.rawValue).joined(separator: ", ")
            throw LocalFailure(.usage, "\(call.arguments[0] ?? "") is none of the actions: \(names).")
        }
        if action != .install, let option = Self.installing.first(where: { call.arguments.has($0) }) {
            throw LocalFailure(.usage, "--\(option) goes with `baton service install` only.")
        }
        let service = try ServiceCall(call)
        switch action {
        case .install: try service.install()
        case .uninstall: try service.uninstall()
        case .start: try service.start()
        case .stop: try service.stop()
        case .restart: try service.restart()
        case .status: try service.status()
        }
    }

    /// The options that only one action takes.
    private static let installing = ["listen", "replace", "print", "no-sandbox", "as-root"]
}
