import BatonCommand
import BatonCore
import BatonTerminal

/// `baton completions`: prints the completion script of a shell.
enum Completions {
    static var specification: CommandSpecification {
        CommandSpecification(
            "completions", "Print what your shell needs to complete commands, devices and activities.",
            operands: [.choice("SHELL", Shell.allCases.map(\.rawValue))], isOfAccount: false,
            notes: [
                "To use it in the current shell, type one of",
                "  source <(baton completions bash)",
                "  source <(baton completions zsh)",
                "  baton completions fish | source",
                "or put that line into ~/.bashrc, ~/.zshrc (after compinit) or",
                "~/.config/fish/config.fish. `make install` does this for all shells.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let shell = try Shell(typed: call.arguments[0] ?? "")
        call.console.print(exactly: shell.completions)
    }
}

/// `baton complete -- WORD…`: called by a shell while a person types, so the help does not list it.
///
/// The first line of the output says what can follow. If it is `words`, each further line has a word, a tab and its
/// meaning. Otherwise, it is `files`, `folders` or `nothing`. This command never fails, because an error message would
/// disturb the person, who only pressed a key.
enum Complete {
    static let name = "complete"

    static func run(
        _ words: [String], among parser: ArgumentParser, on console: Console,
        environment: (String) -> String?
    ) {
        let typed = words.first == "--" ? Array(words.dropFirst()) : words
        let request = CompletionRequest(typed, among: parser.specifications)
        switch request.place {
        case .files: console.print("files")
        case .folders: console.print("folders")
        case .nothing: console.print("nothing")
        case .words(let candidates): show(candidates, request, console)
        case .accounts, .devices, .activities, .activityNames, .types:
            guard
                let home = try? Home(option: request.home, account: request.account, environment: environment)
            else { return console.print("nothing") }
            show(NodeCandidates(home).candidates(for: request.place), request, console)
        case .intentApps, .intents, .intentArguments, .entityTypes, .openable, .entities, .properties,
            .phrases, .focusWords, .focusOperands:
            guard
                let home = try? Home(option: request.home, account: request.account, environment: environment)
            else { return console.print("nothing") }
            let candidates = IntentCandidates(home, operands: request.operands, beginning: request.beginning)
            show(candidates.candidates(for: request.place), request, console)
        }
    }

    private static func show(
        _ candidates: [CompletionPlace.Candidate], _ request: CompletionRequest, _ console: Console
    ) {
        console.print("words")
        for candidate in request.fitting(candidates) {
            console.print(exactly: VisibleText(harmless: "\(candidate.word)\t\(candidate.summary)"))
        }
    }
}
