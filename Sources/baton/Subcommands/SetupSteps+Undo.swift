import BatonCommand
import BatonCore
import BatonTerminal

/// Taking back what `baton setup` did.
extension SetupSteps {
    /// Takes back all parts but the account; returns the exit status.
    mutating func undo() throws(LocalFailure) -> Int32 {
        try doPart(.shell) { (steps) throws(LocalFailure) in
            for shell in Shell.allCases {
                guard let path = shell.startupFile(environment: steps.call.environment) else { continue }
                try steps.remove("line", of: "\(shell.rawValue)", from: [path], .shell(shell))
            }
        }
        try doPart(.editors) { (steps) throws(LocalFailure) in
            for editor in Editor.allCases {
                let files = editor.readFiles(environment: steps.call.environment)
                try steps.remove("lines", of: "\(editor.title)", from: files, .editor(editor))
            }
        }
        try doPart(.browsers) { (steps) throws(LocalFailure) in try steps.disconnectBrowsers() }
        try doPart(.service) { (steps) throws(LocalFailure) in try steps.uninstallService() }
        let options = try call.options()
        call.console.print("Your account stays; `baton leave\(options)` would take this machine out of it.")
        return firstFailure.map { Int32($0.code.rawValue) } ?? 0
    }

    /// Takes lines out of files if the person agrees.
    private mutating func remove(
        _ what: VisibleText, of name: VisibleText, from files: [String], _ program: StartupProgram
    ) throws(LocalFailure) {
        let text = StartupText(program)
        for path in files {
            do throws(LocalFailure) {
                guard let content = try StartupFile(reading: path).content else { continue }
                guard text.removing(from: content) != .unchanged else {
                    if text.isThere(in: content) {
                        say(
                            program.part,
                            "the \(what) of \(name) in \(path) was not added by setup, and stays.")
                    }
                    continue
                }
                guard
                    try questions.isAgreed(
                        to: program.part.title + ": take the \(what) of \(name) out of \(path)?")
                else {
                    say(program.part, "\(path) is unchanged.")
                    continue
                }
                // The person may have changed the file while the question stood.
                let file = try StartupFile(reading: path)
                switch text.removing(from: file.content ?? []) {
                case .unchanged: say(program.part, "\(path) is unchanged.")
                case .nothing:
                    try file.delete()
                    say(program.part, "deleted \(path), which had nothing else in it.")
                case .text(let rest):
                    try file.replace(with: rest)
                    say(program.part, "took the \(what) of \(name) out of \(path).")
                }
            } catch {
                try reportUnlessEnded(error)
            }
        }
    }

    private mutating func disconnectBrowsers() throws(LocalFailure) {
        do throws(LocalFailure) {
            let call = try call.running(["browser", "uninstall"])
            guard try UseBrowser.host(call).host.hasFiles else { return }
            guard try questions.isAgreed(to: "Browsers: remove what `baton browser install` wrote?") else {
                return say(.browsers, "unchanged.")
            }
            try UseBrowser.run(call)
        } catch {
            try reportUnlessEnded(error)
        }
    }

    private mutating func uninstallService() throws(LocalFailure) {
        do throws(LocalFailure) {
            let service = try ServiceCall(try call.running(["service", "uninstall"]))
            guard service.hasUnits else { return }
            guard
                try questions.isAgreed(to: "Service: stop the node, and remove its service? Your data stays.")
            else {
                return say(.service, "unchanged.")
            }
            try service.uninstall()
        } catch {
            try reportUnlessEnded(error)
        }
    }
}
