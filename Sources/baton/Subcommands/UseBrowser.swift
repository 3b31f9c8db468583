import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal
import Glibc

/// `baton browser`: connects browsers to the node, by an extension.
enum UseBrowser {
    /// The actions that the first operand can name.
    enum Action: String, CaseIterable {
        case install, uninstall, host
    }

    static var specification: CommandSpecification {
        CommandSpecification(
            "browser", "Let your browsers hand on the pages that they show.",
            operands: [
                .choice("ACTION", Action.allCases.map(\.rawValue)),
                .anyNumber("BROWSER", Browser.allCases.map(\.rawValue)),
            ],
            notes: [
                "ACTION is one of",
                "  install    tell browsers where Baton is: Chromium, Firefox, and others that",
                "             have run here, or only those that you name",
                "  uninstall  remove all that install wrote",
                "  host       exchange messages with the extension, which browsers do by",
                "             themselves",
                "Then load the extension into your browser; install says from where. Where a",
                "package has installed it for all users, Firefox and Chromium load it by",
                "themselves, and there is nothing to install here. From then on your other",
                "machines see the page in front of you, and the place on it, and pages of the",
                "other machines are in the list of Baton's button. Private windows and the",
                "sites that you leave out (banks, at first) are never told.", "",
                "`baton continue` opens pages in the running browser.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        guard let action = call.arguments[0].flatMap({ Action(rawValue: $0) }) else {
            let names = Action.allCases.map(\.rawValue).joined(separator: ", ")
            throw LocalFailure(
                .usage, "Unknown action: \(call.arguments[0] ?? ""). The actions are: \(names).")
        }
        let words = Array(call.arguments.operands.dropFirst())
        switch action {
        case .install: try install(words, call)
        case .uninstall: try uninstall(words, call)
        case .host: try BrowserSession.run(startedBy: words, call)
        }
    }

    // MARK: Installing

    private static func install(_ names: [String], _ call: Call) throws(LocalFailure) {
        let browsers = try names.map { (name) throws(LocalFailure) in
            guard let browser = Browser(rawValue: name) else {
                let all = Browser.allCases.map(\.rawValue).joined(separator: ", ")
                throw LocalFailure(.usage, "Unknown browser: \(name). The browsers are: \(all).")
            }
            return browser
        }
        let (host, command) = try host(call)
        let outcome = try host.install(browsers, command: command)
        let (folder, system) = (ExtensionFolder.find(), SystemExtension())
        guard !call.isJSON else {
            return call.console.print(
                .object([
                    list("written", outcome.done), list("current", outcome.current),
                    list("foreign", outcome.foreign), .init("extension", JSON(folder)),
                    list("installed", system.browsers.map(\.rawValue)),
                ]))
        }
        for path in outcome.done { call.console.print("Wrote \(path).") }
        for path in outcome.current { call.console.print("\(path) is up to date.") }
        try refuse(outcome.foreign)
        for line in system.advice(for: browsers.isEmpty ? host.likely : browsers, folder: folder) {
            call.console.print("\(line)")
        }
    }

    /// The host for browsers, and the command that it runs.
    static func host(_ call: Call) throws(LocalFailure) -> (host: BrowserHost, command: [String]) {
        guard let program = OwnProgram.path else {
            throw LocalFailure(.failed, "The path of this command can't be read from /proc/self/exe.")
        }
        let home = try call.home().absolute(environment: call.environment)
        let account = try call.home().meant.map { ["--account", $0.text] } ?? []
        let options = (home.isNamed ? ["--home", home.data] : []) + account
        return (
            BrowserHost(home, environment: call.environment), [program, "browser", "host"] + options + ["--"]
        )
    }

    private static func uninstall(_ names: [String], _ call: Call) throws(LocalFailure) {
        guard names.isEmpty else {
            throw LocalFailure(.usage, "`baton browser uninstall` is about all browsers; name none.")
        }
        let home = try call.home().absolute(environment: call.environment)
        let outcome = try BrowserHost(home, environment: call.environment).uninstall()
        guard !call.isJSON else {
            return call.console.print(
                .object([list("removed", outcome.done), list("foreign", outcome.foreign)]))
        }
        for path in outcome.done { call.console.print("Removed \(path).") }
        if outcome.isEmpty { call.console.print("Nothing was installed for browsers.") }
        let system = SystemExtension()
        if !outcome.done.isEmpty || !system.browsers.isEmpty {
            call.console.print("\(system.removalAdvice)")
        }
        try refuse(outcome.foreign)
    }

    private static func list(_ key: String, _ paths: [String]) -> JSON.Member {
        .init(key, .array(paths.map { .string($0) }))
    }

    /// Throws if there are files that were not changed, because another program wrote them.
    private static func refuse(_ paths: [String]) throws(LocalFailure) {
        guard !paths.isEmpty else { return }
        throw LocalFailure(
            .failed,
            "\(paths.joined(separator: ", ")): not written by `baton browser install`, so left as it is.\n"
                + "Move it away, and type the same again.")
    }
}

/// `baton browser host`: passes messages between the extension of a browser and the node.
private enum BrowserSession {
    static func run(startedBy arguments: [String], _ call: Call) throws(LocalFailure) {
        guard Browser.isStarted(by: arguments) else {
            throw LocalFailure(
                .notAllowed,
                "Browsers start `baton browser host` by themselves, for the extension of Baton.\nType `baton browser install`."
            )
        }
        let gate = BrowserGate()
        do throws(LocalFailure) {
            var session = AppSession(
                try call.home(),
                AppBridge(
                    app: BrowserGate.app, instance: try ShellInstance.ownApp().name,
                    admitting: { (message) throws(JSONError) in try gate.admit(message) }),
                input: STDIN_FILENO, .messages, waitsForNode: true
            ) { (line) throws(LocalFailure) in
                guard let message = gate.passOn(line) else { return }
                try NativeMessageBuffer.send(message, to: STDOUT_FILENO)
            }
            try session.run()
        } catch {
            // The extension shows the text of this message to the person.
            try NativeMessageBuffer.send(
                .event(
                    "failed", .init("error", .string(error.text)),
                    .init("code", .integer(Int64(error.code.rawValue)))), to: STDOUT_FILENO)
            throw error
        }
    }
}
