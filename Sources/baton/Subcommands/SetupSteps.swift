import BatonCommand
import BatonCore
import BatonTerminal

/// One run of `baton setup`.
///
/// Each part calls the functions of the command for it.
struct SetupSteps {
    let call: Call
    let choices: SetupChoices
    let questions: SetupQuestions
    /// The failure of the first part that failed.
    private(set) var firstFailure: LocalFailure?

    init(_ call: Call, _ choices: SetupChoices, _ questions: SetupQuestions) throws(LocalFailure) {
        (self.call, self.choices, self.questions) = (call, choices, questions)
        // Another error of the options about the home is reported before anything is asked.
        _ = try call.home()
    }

    /// Does all parts; returns the exit status.
    mutating func doAll() throws(LocalFailure) -> Int32 {
        try doPart(.account) { (steps) throws(LocalFailure) in try steps.makeAccount() }
        try doPart(.service) { (steps) throws(LocalFailure) in try steps.installService() }
        try doPart(.shell) { (steps) throws(LocalFailure) in try steps.connectShells() }
        try doPart(.editors) { (steps) throws(LocalFailure) in try steps.connectEditors() }
        try doPart(.browsers) { (steps) throws(LocalFailure) in try steps.connectBrowsers() }
        call.console.print("\n`baton doctor\(try call.options())` says:")
        let status = try Doctor.run(try call.running(["doctor"]))
        guard let firstFailure else { return status }
        call.console.print("\nNot all parts are done. Type `baton setup` again once the reasons are gone.")
        return Int32(firstFailure.code.rawValue)
    }

    /// Does one part, unless the person leaves it out.
    mutating func doPart(
        _ part: SetupPart, _ body: (inout SetupSteps) throws(LocalFailure) -> Void
    ) throws(LocalFailure) {
        guard !choices.skipped.contains(part) else { return say(part, "left out.") }
        try body(&self)
        try call.console.flush()
    }

    /// Prints a line about a part.
    func say(_ part: SetupPart, _ text: VisibleText) { call.console.print(part.title + ": " + text) }

    /// Reports why a part was not done; the other parts go on.
    mutating func report(_ failure: LocalFailure) throws(LocalFailure) {
        firstFailure = firstFailure ?? failure
        try call.console.flush()
        call.console.report(failure)
    }

    // MARK: The account

    private var hasAccount: Bool {
        get throws(LocalFailure) {
            let home = try call.home()
            return home.meant.map { home.standingAccounts.contains($0) } ?? home.holdsAccount
        }
    }

    private func makeAccount() throws(LocalFailure) {
        guard try !hasAccount else { return say(.account, "this machine has one already.") }
        switch choices.account {
        case .new(let name)?: try create(name)
        case .joined(let code, let address)?: try join(code, at: address)
        case nil: try askForAccount()
        }
    }

    private func askForAccount() throws(LocalFailure) {
        call.console.print(
            """
            Account: your machines share one. The first machine makes it, and the others join it with a code that \
            `baton invite` shows.
            """)
        guard try questions.isAgreed(to: "Do you use Baton on another machine already?", usual: false) else {
            let name = try questions.text("A name for this machine:", usual: try HostName.device(named: nil))
            return try create(name)
        }
        while true {
            let code = try questions.text(
                "The code of `baton invite` on that machine:", usual: "", shown: "no account now")
            guard !code.isEmpty else { return say(.account, "none yet.") }
            let address = try questions.text(
                "The address of that machine, as HOST:PORT:", usual: "",
                shown: "looked for on the local network")
            do throws(LocalFailure) {
                return try join(code, at: address.isEmpty ? nil : address)
            } catch {
                try call.console.flush()
                call.console.report(error)
            }
        }
    }

    private func create(_ name: String) throws(LocalFailure) {
        let options = questions.takesEnter ? ["--no-confirm"] : []
        try Initialise.create(try call.running(["init", "--name=\(name)"] + options), saysNext: false)
    }

    private func join(_ code: String, at address: String?) throws(LocalFailure) {
        let place = address.map { ["--at=\($0)"] } ?? []
        try Join.join(try call.running(["join"] + place, operands: [code]), saysNext: false)
    }

    // MARK: The service

    private mutating func installService() throws(LocalFailure) {
        guard try hasAccount else {
            return say(.service, "not installed, because there is no account here yet.")
        }
        do throws(LocalFailure) {
            let option = try call.home().option
            let service = try ServiceCall(
                try call.running(["service", "install"] + (choices.isForRoot ? ["--as-root"] : [])))
            if let trouble = service.managerTrouble {
                return say(.service, "not possible here: \(trouble). `baton node\(option)` runs the node.")
            }
            switch try service.progress() {
            case .complete: say(.service, "installed and running already.")
            case .other:
                say(
                    .service,
                    "units are there that were changed or disabled, so they stay; `baton service install\(option)` replaces them."
                )
            case .stopped:
                guard
                    try questions.isAgreed(
                        to: "Service: it is installed, but the node is not running. Start it?")
                else { return say(.service, "unchanged.") }
                try service.start()
            case .missing:
                guard
                    try questions.isAgreed(
                        to: "Service: have systemd run the node whenever you are logged in?")
                else { return say(.service, "not installed.") }
                try service.install()
            }
        } catch {
            try reportUnlessEnded(error)
        }
    }

    /// Reports a failure of a part; throws it instead if the person has ended the setup.
    mutating func reportUnlessEnded(_ failure: LocalFailure) throws(LocalFailure) {
        guard failure != SetupQuestions.ended else { throw failure }
        try report(failure)
    }

    // MARK: Start-up files

    private mutating func connectShells() throws(LocalFailure) {
        let shells = Shell.allCases.filter { $0.isHere(environment: call.environment) }
        guard !shells.isEmpty else { return say(.shell, "none of bash, zsh and fish is used here.") }
        guard ProgramStart.isThere("baton", path: call.environment("PATH")) else {
            return try report(
                LocalFailure(
                    .failed,
                    "baton is in no folder of PATH, so the line for your shell would not find it.\n"
                        + "Put its folder on PATH, and type `baton setup` again."))
        }
        let home = try call.home().absolute(environment: call.environment)
        let options =
            (home.isNamed ? ["--home", home.data] : []) + (home.meant.map { ["--account", $0.text] } ?? [])
        for shell in shells {
            guard let path = shell.startupFile(environment: call.environment) else { continue }
            try add(
                [shell.startupLine(options: options)], of: "\(shell.rawValue)", to: path,
                among: shell.readFiles(environment: call.environment), .shell(shell))
        }
    }

    private mutating func connectEditors() throws(LocalFailure) {
        let editors = Editor.allCases.filter {
            ProgramStart.isThere($0.program, path: call.environment("PATH"))
        }
        guard !editors.isEmpty else { return say(.editors, "none of Vim, Neovim and Emacs is here.") }
        for editor in editors {
            guard let path = editor.startupFile(environment: call.environment) else { continue }
            do throws(LocalFailure) {
                let lines = try editor.startupLines(try editor.pluginFolder())
                try add(
                    lines, of: "\(editor.title)", to: path,
                    among: editor.readFiles(environment: call.environment), .editor(editor))
            } catch {
                try reportUnlessEnded(error)
            }
        }
    }

    /// Adds lines to a start-up file if the person agrees, unless one of the files has them already.
    private mutating func add(
        _ lines: [String], of name: VisibleText, to path: String, among files: [String],
        _ program: StartupProgram
    ) throws(LocalFailure) {
        let (part, text) = (program.part, StartupText(program))
        let what: VisibleText = lines.count == 1 ? "line" : "lines"
        do throws(LocalFailure) {
            if let file = try text.firstFile(of: files, writing: path) {
                return say(part, "\(file) has the \(what) of \(name) already.")
            }
            call.console.print(
                part.title + ": \(name) needs \(lines.count == 1 ? "this line" : "these lines") in \(path):")
            for line in lines { call.console.print(exactly: VisibleText("    " + line)) }
            // Lua can't read lines of Vim script.
            guard !path.hasSuffix(".lua") else {
                return call.console.print("Put them between `vim.cmd([[` and `]])` in that file.")
            }
            guard
                try questions.isAgreed(to: "Add \(lines.count == 1 ? "it" : "them") at the end of the file?")
            else {
                return say(part, "\(path) is unchanged.")
            }
            // The person may have changed the file while the question stood.
            let file = try StartupFile(reading: path)
            if let content = file.content, text.isThere(in: content) {
                return say(part, "\(path) has the \(what) of \(name) already.")
            }
            try file.replace(with: text.adding(lines, to: file.content))
            say(part, "added to \(path), for each \(name) that you start from now on.")
        } catch {
            guard error != SetupQuestions.ended else { throw error }
            try report(
                LocalFailure(
                    error.code, error.text + "\nAdd yourself what \(name.text) needs: " + advice(program)))
        }
    }

    /// The command that shows a program's lines.
    private func advice(_ program: StartupProgram) -> String {
        switch program {
        case .shell: "`baton help shell` shows the line."
        case .editor(let editor): "`baton editor \(editor.rawValue)` shows the lines."
        }
    }

    // MARK: Browsers

    private mutating func connectBrowsers() throws(LocalFailure) {
        let browsers = Browser.allCases.filter { $0.isHere(environment: call.environment) }
        guard !browsers.isEmpty else { return say(.browsers, "none with the extension of Baton is here.") }
        let names = VisibleText(browsers.map(\.title).joined(separator: ", "))
        do throws(LocalFailure) {
            let words = ["browser", "install"] + browsers.map(\.rawValue)
            let call = try call.running(words)
            let (host, command) = try UseBrowser.host(call)
            guard !host.isInstalled(for: browsers, command: command) else {
                let folder: VisibleText =
                    ExtensionFolder.find().map { " The extension is in \($0)." } ?? ""
                return say(.browsers, "\(names): told where Baton is already.\(folder)")
            }
            let question: VisibleText = "Browsers: \(names). Tell them where Baton is, for its extension?"
            guard try questions.isAgreed(to: question) else {
                return say(.browsers, "not told; `baton browser install` does it later.")
            }
            try UseBrowser.run(call)
        } catch {
            try reportUnlessEnded(error)
        }
    }
}

extension StartupProgram {
    /// The part of the setup that is about the program.
    var part: SetupPart {
        switch self {
        case .shell: .shell
        case .editor: .editors
        }
    }
}

extension Call {
    /// A run of another subcommand, with the same home and account.
    func running(_ words: [String], operands: [String] = []) throws(LocalFailure) -> Call {
        let isOfAccount = try parser.command(words[0]).isOfAccount
        let options = ["home", "account"].filter { $0 == "home" || isOfAccount }.flatMap { name in
            arguments.value(name).map { ["--\(name)=\($0)"] } ?? []
        }
        let rest = operands.isEmpty ? [] : ["--"] + operands
        return Call(
            arguments: try parser.parse(words + options + rest), parser: parser, console: console,
            environment: environment, start: start)
    }
}
