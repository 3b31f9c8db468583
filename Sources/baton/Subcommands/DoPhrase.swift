import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton do`: runs the shortcut of a phrase.
enum DoPhrase {
    static var specification: CommandSpecification {
        CommandSpecification(
            "do", "Run the shortcut of an app by its phrase.",
            operands: [.repeated("PHRASE")],
            options: [
                .value("app", "APP", "only the phrases of this app"),
                .flag("print", "print the command instead of running it"),
            ],
            isOfAccount: true,
            notes: [
                "Capitals, accents, punctuation and the name of the app don't matter:",
                "  baton do \"order a large latte\"", "",
                "If no phrase fits, the nearest ones are shown. If several apps have the same",
                "phrase, none is run. `baton intents APP` shows the phrases of an app.",
                "Exit status: that of the app; 11 if no phrase fits.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let phrase = call.arguments.operands.joined(separator: " ")
        let found = try PhraseSearch(try call.intents()).shortcut(
            for: phrase, of: call.arguments.value("app"))
        guard call.arguments.has("print") else {
            return try call.run(
                found.shortcut.intent, Array(found.arguments.dropFirst()), in: found.app, isGuessed: true)
        }
        let words = ["baton", "run", found.app.app] + found.arguments
        if call.isJSON {
            return call.console.print(
                .object([
                    .init("app", .string(found.app.app)), .init("intent", .string(found.shortcut.intent)),
                    .init("run", .array(words.map { .string($0) })),
                ]))
        }
        call.console.print(exactly: VisibleText(words.map { ShellWord.quoted($0) }.joined(separator: " ")))
    }
}
