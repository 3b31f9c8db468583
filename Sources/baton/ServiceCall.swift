import BatonClient
import BatonCore
import Glibc

/// One use of `baton service`.
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
    /// The options that name the home, as they were typed.
    private let option: String

    // MARK: Installing

    func install() throws(LocalFailure) {
        let units = ServiceUnits(
            home: home, program: try NodeProgram.find().wholePath, addresses: try addresses(),
            isSandboxed: !call.arguments.has("no-sandbox"), environment: call.environment)
        let (sockets, service) = (try units.socketUnit(), try units.serviceUnit())
        guard !call.arguments.has("print") else {
            for (unit, text) in [(self.socket, sockets), (self.service, service)] {
                call.console.print("# \(folder.path(of: unit))")
                call.console.print(VisibleText(harmless: text))
            }
            return
        }
        try demandPerson()
        try demandAccount()
        for (unit, text) in [(self.socket, sockets), (self.service, service)] {
            let isNew = try folder.write(text, to: unit, replaces: call.arguments.has("replace"))
            say(isNew ? "Wrote \(folder.path(of: unit))." : "\(folder.path(of: unit)) is as it should be.")
        }
        try call.console.flush()
        try demandManager("The units are written, but no service manager takes them up")
        try control.do("daemon-reload")
        try control.do("enable", self.socket, self.service)
        // Opened anew only if they are others: whoever waits there would be turned away.
        try begin(anew: true)
        try tellEnd(.init("installed", .string(name)))
    }

    func uninstall() throws(LocalFailure) {
        let isManaged = control.trouble == nil
        if isManaged, folder.find(service) != .nothing {
            try control.do("disable", "--now", socket, service)
        }
        var removed: [String] = []
        for unit in [socket, service] where try folder.remove(unit) { removed.append(folder.path(of: unit)) }
        if isManaged { try control.do("daemon-reload") }
        for path in removed { say("Removed \(path).") }
        if removed.isEmpty { say("No service was installed.") }
        say("What the node keeps is as it was; `baton node\(option)` runs it.")
        if call.isJSON {
            call.console.print(.object([.init("removed", .array(removed.map { .string($0) }))]))
        }
    }

    // MARK: Running

    func start() throws(LocalFailure) {
        try demandInstalled()
        try demandManager("The service can't be started")
        try begin(anew: false)
        try tellEnd(.init("started", .string(name)))
    }

    func stop() throws(LocalFailure) {
        try demandInstalled()
        try demandManager("The service can't be stopped")
        // Both at once: a socket that stays open would start the node again.
        try control.do("stop", socket, service)
        say(
            "The node is stopped, and nothing starts it before `baton service start\(option)`, or your next login."
        )
        if call.isJSON { call.console.print(.object([.init("stopped", .string(name))])) }
    }

    func restart() throws(LocalFailure) {
        try demandInstalled()
        try demandManager("The service can't be started anew")
        try begin(anew: true)
        try tellEnd(.init("started", .string(name)))
    }

    func status() throws(LocalFailure) {
        let text = ServiceText(try ServiceStatus(of: home, in: folder, control))
        guard !call.isJSON else { return call.console.print(text.json) }
        for line in text.lines(option: option, at: .here) { call.console.print(line) }
    }

    /// Starts the node, anew if it runs and is to be; returns once it serves.
    private func begin(anew isAnew: Bool) throws(LocalFailure) {
        let sockets = try control.properties(["ActiveState"], of: socket)["ActiveState"]
        if sockets != "active" { try demandNoOtherNode() }
        // What failed, or was started often, before a person saw to it counts no more.
        control.forgetFailures(of: socket, service)
        do throws(LocalFailure) {
            try control.do("start", socket)
            try control.do(isAnew ? "restart" : "start", service)
        } catch {
            let known = try ServiceStatus(of: home, in: folder, control).manager
            throw LocalFailure(
                .failed,
                "The node could not be started\(known?.explanation.map { ": \($0)" } ?? "").\n"
                    + "`journalctl --user -u \(name) -n 20` tells more. \(error.text)")
        }
    }

    /// Says that the node runs, and what is still to be done.
    private func tellEnd(_ member: JSON.Member) throws(LocalFailure) {
        let status = try ServiceStatus(of: home, in: folder, control)
        guard !call.isJSON else {
            return call.console.print(.object([member, .init("service", ServiceText(status).json)]))
        }
        say(
            "The node runs\(status.manager?.process.map { ", process \($0)" } ?? ""). `baton status\(option)` asks it how it is."
        )
        if status.isLingering == false {
            say("It ends when you log out; to keep it, type `loginctl enable-linger`.")
        }
    }

    // MARK: Demands

    private func demandInstalled() throws(LocalFailure) {
        guard folder.find(service) == .nothing else { return }
        throw LocalFailure(
            .failed, "No service is installed for this home.\nType `baton service install\(option)`.")
    }

    /// Whoever is root by accident would have a second node, with keys of its own, in root's home.
    private func demandPerson() throws(LocalFailure) {
        guard geteuid() == 0, !call.arguments.has("as-root") else { return }
        throw LocalFailure(
            .notAllowed,
            "You are root, and the node is a person's. Type the same without sudo, as yourself.\n"
                + "If root is to have a node of its own, say --as-root.")
    }

    private func demandAccount() throws(LocalFailure) {
        guard !home.holdsAccount else { return }
        throw LocalFailure(
            .notInitialised,
            "There is no account here yet, and so nothing to serve.\nType `baton init\(option)` or "
                + "`baton join CODE --at HOST:PORT\(option)` first.")
    }

    private func demandManager(_ what: String) throws(LocalFailure) {
        guard let trouble = control.trouble else { return }
        throw LocalFailure(.failed, "\(what): \(trouble).\nRun the node with `baton node\(option)` instead.")
    }

    /// The sockets would take the place of those of a node that somebody runs by hand.
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
            "A node runs here already\(process.map { ", process \($0)" } ?? ""), and not as the service.\n"
                + "Stop it (Ctrl+C where it runs), then type `baton service start\(option)`.")
    }

    /// Where to listen, checked as the node would.
    private func addresses() throws(LocalFailure) -> [String] {
        let texts = call.arguments.values("listen")
        for text in texts where !ListenAddress.isValid(text) {
            throw LocalFailure(
                .usage,
                "“\(text)” is not an address. It looks like 192.0.2.7:\(Home.port) or [::1]:\(Home.port).")
        }
        return texts
    }

    /// Says something to a person.
    private func say(_ text: VisibleText) { if !call.isJSON { call.console.print(text) } }
}
