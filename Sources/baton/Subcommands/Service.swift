import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal
import Glibc

/// `baton service`: lets the person's service manager run the node.
enum Service {
    /// The actions that the first operand can name.
    enum Action: String, CaseIterable {
        case install, uninstall, start, stop, restart, status
    }

    static var specification: CommandSpecification {
        CommandSpecification(
            "service", "Have systemd run the node whenever you are logged in.",
            operands: [.choice("ACTION", Action.allCases.map(\.rawValue))],
            options: [
                .value(
                    "listen", "ADDRESS:PORT", "the address to listen on (port \(Home.port) of all addresses)",
                    repeats: true),
                .flag("replace", "overwrite units that this command did not write"),
                .flag("print", "print the units, and change nothing"),
                .flag("no-sandbox", "leave out the parts that need user namespaces"),
                .flag("as-root", "install a node for root itself"),
            ], isOfAccount: false,
            notes: [
                "ACTION is one of",
                "  install    write the units, and start the node now and at each login;",
                "             type it again after an upgrade: no connection is lost,",
                "             unless the sockets are other ones now",
                "  uninstall  stop the node, and remove the units; your data stays",
                "  start      start the node, and open its sockets",
                "  stop       stop the node, and close its sockets, so that nothing starts it",
                "  restart    restart the node; connections wait until it is back",
                "  status     show whether the node is running, since when, and where its log is",
                "The options are for install. The service is hardened: it can write only in the",
                "node's own folders; `baton backup` writes anywhere all the same. Addresses in",
                "the configuration file are used, unless --listen names others. The units are",
                "in ~/.config/systemd/user (or in XDG_CONFIG_HOME). After you log out, the node",
                "keeps running only if you have typed `loginctl enable-linger`.", "",
                "If the configuration file has `embed`, a unit of its own runs `baton embed`",
                "beside the node. Type `baton service install` again after you have added it,",
                "changed it or taken it out. The same is true of `notify: true`, for which a",
                "unit runs `baton watch --notify` while your desktop runs.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        guard let action = call.arguments[0].flatMap({ Action(rawValue: $0) }) else {
            let names = Action.allCases.map(\.rawValue).joined(separator: ", ")
            throw LocalFailure(
                .usage, "Unknown action: \(call.arguments[0] ?? ""). The actions are: \(names).")
        }
        if action != .install, let option = Self.installing.first(where: { call.arguments.has($0) }) {
            throw LocalFailure(.usage, "--\(option) works with `baton service install` only.")
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

    /// The options that only the action `install` accepts.
    private static let installing = ["listen", "replace", "print", "no-sandbox", "as-root"]
}

/// One run of `baton service`, or the service in `baton setup`.
struct ServiceCall {
    private let call: Call
    private let home: Home
    private let folder: UnitFolder
    private let control = SystemControl.real

    init(_ call: Call) throws(LocalFailure) {
        self.call = call
        option = try call.home().option
        home = try call.home().absolute(environment: call.environment)
        folder = try UnitFolder(environment: call.environment)
    }

    private var name: String { ServiceUnits.name(of: home) }
    private var service: String { name + ServiceUnits.suffixes.service }
    private var socket: String { name + ServiceUnits.suffixes.socket }
    /// The units of programs that run beside the node, if the configuration file says so.
    private var companions: [Companion] {
        [
            Companion(unit: name + ServiceUnits.suffixes.embedding, setting: "embed") {
                units throws(LocalFailure) in
                try units.embeddingUnit()
            },
            Companion(unit: name + ServiceUnits.suffixes.notifying, setting: "notify") {
                units throws(LocalFailure) in
                try units.notifyingUnit()
            },
        ]
    }

    /// A unit that is installed only if the configuration file has a certain setting.
    private struct Companion {
        let unit: String
        let setting: String
        let text: (ServiceUnits) throws(LocalFailure) -> String
    }

    /// The option `--home`, for the commands that advice mentions.
    private let option: String

    // MARK: Installing

    func install() throws(LocalFailure) {
        let units = try units()
        var texts = [(socket, try units.socketUnit()), (service, try units.serviceUnit())]
        let configuration = try configuration()
        let wanted = companions.filter { companion in
            companion.setting == "embed" ? configuration?.embed != nil : configuration?.notify == true
        }
        let installed = wanted.filter(mayReplace)
        for companion in installed { texts.append((companion.unit, try companion.text(units))) }
        guard !call.arguments.has("print") else {
            for (unit, text) in texts {
                call.console.print(exactly: "# \(folder.path(of: unit))")
                call.console.print(exactly: VisibleText(harmless: text))
            }
            return
        }
        try demandPerson()
        try demandAccount()
        try demandSocket()
        let hadSockets = folder.find(socket) != .nothing
        var changed: Set<String> = []
        for (unit, text) in texts {
            let isNew = try folder.write(text, to: unit, replaces: call.arguments.has("replace"))
            if isNew { changed.insert(unit) }
            say(isNew ? "Wrote \(folder.path(of: unit))." : "\(folder.path(of: unit)) is up to date.")
        }
        try call.console.flush()
        try demandManager("The units are written, but can't be loaded")
        for companion in companions where !wanted.contains(where: { $0.unit == companion.unit }) {
            try remove(companion)
        }
        if hadSockets, changed.contains(socket) { try closeSockets() }
        try control.do("daemon-reload")
        try control.do("enable", texts.map(\.0))
        // If the unit of the sockets has not changed, the sockets stay open. So waiting callers are not disconnected.
        try begin(restarting: true)
        for companion in installed {
            control.forgetFailures(of: companion.unit)
            // If no desktop is running, the unit starts together with the next one.
            if companion.setting == "embed" || isDesktopRunning {
                try control.do("restart", [companion.unit])
            }
        }
        try tellEnd(.init("installed", .string(name)))
    }

    /// The units that the options ask for.
    private func units() throws(LocalFailure) -> ServiceUnits {
        ServiceUnits(
            home: home, program: try program(), addresses: try addresses(),
            isSandboxed: !call.arguments.has("no-sandbox"), environment: call.environment)
    }

    /// The reason why the service manager can't be reached, or nil if it answers.
    var managerTrouble: String? { control.trouble }

    /// Whether units of the service are there, whoever wrote them.
    var hasUnits: Bool { folder.find(service) != .nothing || folder.find(socket) != .nothing }

    /// How much of an installation is done.
    enum Progress {
        /// Units are missing, or are those that `install` writes, but were not enabled.
        case missing
        /// The units are enabled, but the node is not running.
        case stopped
        case complete
        /// Units that a person has changed or disabled are there.
        case other
    }

    /// Finds out how much of an installation is done.
    func progress() throws(LocalFailure) -> Progress {
        guard folder.find(service) != .nothing, folder.find(socket) != .nothing else { return .missing }
        guard let manager = try examine().manager, manager.isEnabled else {
            let units = try units()
            let (socketText, serviceText) = (try units.socketUnit(), try units.serviceUnit())
            let isUsual =
                folder.find(socket) == .own(socketText) && folder.find(service) == .own(serviceText)
            return isUsual ? .missing : .other
        }
        return manager.isListening && manager.state == "active" ? .complete : .stopped
    }

    /// Stops the units if their sockets are open.
    ///
    /// The service manager opens the sockets of a changed unit only when the unit starts.
    private func closeSockets() throws(LocalFailure) {
        guard try control.properties(["ActiveState"], of: socket)["ActiveState"] == "active" else { return }
        try control.do("stop", [socket, service])
    }

    /// Whether a desktop is running, as far as the service manager knows.
    private var isDesktopRunning: Bool {
        do throws(LocalFailure) {
            return try control.properties(["ActiveState"], of: "graphical-session.target")["ActiveState"]
                == "active"
        } catch {
            return false
        }
    }

    /// Whether this command may write the unit.
    ///
    /// If another program wrote it, prints that the unit is kept, and returns false.
    private func mayReplace(_ companion: Companion) -> Bool {
        guard folder.find(companion.unit) == .other, !call.arguments.has("replace") else { return true }
        say(
            "\(folder.path(of: companion.unit)) was not written by `baton service install`, so it stays as it is; --replace overwrites it."
        )
        return false
    }

    /// Removes a unit because the configuration file no longer has its setting.
    private func remove(_ companion: Companion) throws(LocalFailure) {
        guard case .own = folder.find(companion.unit) else { return }
        try control.do("disable", ["--now", companion.unit])
        if try folder.remove(companion.unit) {
            say(
                "Removed \(folder.path(of: companion.unit)): the configuration has no `\(companion.setting)`."
            )
        }
    }

    /// The path of this command.
    ///
    /// The service uses it to start the node.
    private func program() throws(LocalFailure) -> String {
        // If the node's program is missing, this is noticed now. Otherwise, it would be noticed only when the service
        // starts.
        _ = try NodeProgram.find()
        guard let path = OwnProgram.path else {
            throw LocalFailure(.failed, "The path of this command can't be read from /proc/self/exe.")
        }
        return path
    }

    func uninstall() throws(LocalFailure) {
        let isManaged = control.trouble == nil
        var units = [socket, service]
        for companion in companions {
            if case .own = folder.find(companion.unit) { units.append(companion.unit) }
        }
        if isManaged, folder.find(service) != .nothing { try control.do("disable", ["--now"] + units) }
        var removed: [String] = []
        for unit in units where try folder.remove(unit) { removed.append(folder.path(of: unit)) }
        if isManaged { try control.do("daemon-reload") }
        for path in removed { say("Removed \(path).") }
        if removed.isEmpty { say("No service was installed.") }
        say("The node's data is unchanged; `baton node\(option)` runs the node.")
        if call.isJSON {
            call.console.print(.object([.init("removed", .array(removed.map { .string($0) }))]))
        }
    }

    // MARK: Running

    func start() throws(LocalFailure) {
        try demandInstalled()
        try demandManager("The service can't be started")
        try begin(restarting: false)
        try tellEnd(.init("started", .string(name)))
    }

    func stop() throws(LocalFailure) {
        try demandInstalled()
        try demandManager("The service can't be stopped")
        // Both units are stopped together. If the sockets stayed open, the next connection would start the node again.
        try control.do("stop", [socket, service])
        say(
            "The node is stopped. It starts again with `baton service start\(option)`, or at your next login."
        )
        if call.isJSON { call.console.print(.object([.init("stopped", .string(name))])) }
    }

    func restart() throws(LocalFailure) {
        try demandInstalled()
        try demandManager("The service can't be restarted")
        try begin(restarting: true)
        try tellEnd(.init("started", .string(name)))
    }

    func status() throws(LocalFailure) {
        let text = ServiceText(try examine())
        guard !call.isJSON else { return call.console.print(text.json) }
        for line in text.lines(option: option, at: .here) { call.console.print(line) }
    }

    private func examine() throws(LocalFailure) -> ServiceStatus {
        try ServiceStatus(
            of: home, in: folder, control, person: UserEntry.ownName(environment: call.environment))
    }

    /// Starts or restarts the node.
    ///
    /// Returns when the node is ready.
    private func begin(restarting restarts: Bool) throws(LocalFailure) {
        let sockets = try control.properties(["ActiveState"], of: socket)["ActiveState"]
        if sockets != "active" { try demandNoOtherNode() }
        // The service manager counts failures and restarts, and would refuse to start the units after too many.
        control.forgetFailures(of: socket, service)
        do throws(LocalFailure) {
            try control.do("start", [socket])
            try control.do(restarts ? "restart" : "start", [service])
        } catch {
            let known = try examine().manager
            throw LocalFailure(
                .failed,
                "The node could not be started\(known?.explanation.map { ": \($0)" } ?? "").\n"
                    + "`journalctl --user -u \(name) -n 20` shows more. \(error.text)")
        }
    }

    /// Prints that the node is running, and what the person may still have to do.
    private func tellEnd(_ member: JSON.Member) throws(LocalFailure) {
        let status = try examine()
        guard !call.isJSON else {
            return call.console.print(.object([member, .init("service", ServiceText(status).json)]))
        }
        say(
            "The node is running\(status.manager?.process.map { ", process \($0)" } ?? ""). `baton status\(option)` shows its state."
        )
        if status.isLingering == false {
            say("It stops when you log out; to keep it running, type `loginctl enable-linger`.")
        }
    }

    // MARK: Demands

    private func demandInstalled() throws(LocalFailure) {
        guard folder.find(service) == .nothing else { return }
        throw LocalFailure(
            .failed, "No service is installed for this home.\nType `baton service install\(option)`.")
    }

    /// Throws if the user is root, unless root's own node is wanted.
    ///
    /// Otherwise, a person who types sudo would get a second node, with keys of its own in the home of root.
    private func demandPerson() throws(LocalFailure) {
        guard geteuid() == 0, !call.arguments.has("as-root") else { return }
        throw LocalFailure(
            .notAllowed,
            "You are root, but the node should run as yourself. Type the same without sudo.\n"
                + "To run a node for root itself, add --as-root.")
    }

    private func demandAccount() throws(LocalFailure) {
        guard !home.holdsAccount else { return }
        throw LocalFailure(
            .notInitialised,
            "There is no account here yet.\nType `baton init\(option)` or "
                + "`baton join CODE\(option)` first.")
    }

    /// Throws if the disk of the home does not support sockets.
    ///
    /// The service manager would open one there.
    private func demandSocket() throws(LocalFailure) {
        guard let problem = home.socketProblem else { return }
        let byHand =
            home.spareSocket == nil
            ? "" : " `baton node\(option)` runs it without the service, with its socket elsewhere."
        throw LocalFailure(
            .failed,
            "The node can't be a service here, because the disk of \(home.data) holds no sockets (\(problem)).\n"
                + "Choose a home on another disk with `--home DIR`.\(byHand)")
    }

    private func demandManager(_ what: String) throws(LocalFailure) {
        guard let trouble = control.trouble else { return }
        throw LocalFailure(.failed, "\(what): \(trouble).\nRun the node with `baton node\(option)` instead.")
    }

    /// Throws if a node is running outside of the service.
    ///
    /// The service's sockets would replace the sockets of that node.
    private func demandNoOtherNode() throws(LocalFailure) {
        var process: Int32?
        do throws(LocalFailure) {
            var node = try NodeConnection(home.of(nil))
            _ = try node.ask(ListAccounts())
            process = node.node?.process
        } catch {
            return
        }
        throw LocalFailure(
            .nodeRunning,
            "A node is already running here\(process.map { ", process \($0)" } ?? ""), but not as the service.\n"
                + "Stop it (Ctrl+C where it runs), then type `baton service start\(option)`.")
    }

    /// The contents of the configuration file, or nil if the file does not exist.
    private func configuration() throws(LocalFailure) -> Configuration? {
        try ConfigurationFile(option: nil, environment: call.environment)?.read()
    }

    /// The addresses on which the node listens; throws if the node could not use one of them.
    private func addresses() throws(LocalFailure) -> [String] {
        let typed = call.arguments.values("listen")
        let texts = typed.isEmpty ? try configuration()?.listen ?? [] : typed
        for text in texts where !ListenAddress.isValid(text) {
            throw LocalFailure(
                .usage,
                "“\(text)” is not an address. An address looks like 192.0.2.7:\(Home.port) or [::1]:\(Home.port)."
            )
        }
        return texts
    }

    /// Prints a message.
    ///
    /// With `--json`, nothing is printed.
    private func say(_ text: VisibleText) { if !call.isJSON { call.console.print(text) } }
}
