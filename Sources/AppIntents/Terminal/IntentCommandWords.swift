import BatonClient
import BatonCore

/// The words after `APP intents`, understood.
struct IntentCommandWords: Equatable {
    /// The things that the command does.
    enum Verb: String, CaseIterable {
        case list, describe, run, manifest
    }

    let verb: Verb
    /// The name of the intent; nil for verbs that have none.
    private(set) var intent: String?
    /// The words after the name of the intent, which `ParameterWords` reads.
    private(set) var rest: [String] = []
    /// Whether the output is JSON.
    private(set) var isJSON = false
    /// Whether `list` also shows intents that the app hides.
    private(set) var showsAll = false
    /// Whether `manifest` writes the file.
    private(set) var isSaved = false
    /// Whether the intent was guessed from a phrase, so that the app may ask for an agreement.
    private(set) var isGuessed = false
    /// The entities on the person's screens, `TYPE/ID`, which are offered first.
    private(set) var onScreen: [String] = []

    /// Reads words; `program` is the name of the app's program, for messages.
    init(_ words: [String], program: String) throws(LocalFailure) {
        let advice = Self.advice(program)
        guard let first = words.first else { throw LocalFailure(.usage, "No command given. \(advice)") }
        guard let verb = Verb(rawValue: first) else {
            let near = Suggestion.nearest(to: first, among: Verb.allCases.map(\.rawValue))
            throw LocalFailure(
                .usage, "Unknown command: \(first). \(near.map { "Did you mean \($0)?" } ?? advice)")
        }
        self.verb = verb
        var rest = words.dropFirst()
        while let word = rest.first, word.hasPrefix("--"), word != "--" {
            rest.removeFirst()
            try take(word, &rest, program)
        }
        if verb == .describe || verb == .run {
            guard let name = rest.popFirst() else {
                throw LocalFailure(.usage, "No intent given. `\(program) intents list` lists them.")
            }
            intent = name
        }
        if verb == .run {
            self.rest = Array(rest)
            return
        }
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                throw LocalFailure(.usage, "Unexpected argument: \(word). \(advice)")
            }
            try take(word, &rest, program)
        }
    }

    /// Takes an option of the command.
    private mutating func take(
        _ word: String, _ rest: inout ArraySlice<String>, _ program: String
    ) throws(LocalFailure) {
        switch (word, verb) {
        case ("--json", _): isJSON = true
        case ("--all", .list): showsAll = true
        case ("--save", .manifest): isSaved = true
        case ("--guessed", .run): isGuessed = true
        case ("--on-screen", .run):
            guard let thing = rest.popFirst(), thing.contains("/") else {
                throw LocalFailure(
                    .usage, "--on-screen needs the type and the identifier of an entity: TYPE/ID.")
            }
            onScreen.append(thing)
        default:
            throw LocalFailure(
                .usage, "Unknown option for \(verb.rawValue): \(word). \(Self.advice(program))")
        }
    }

    /// Whether the option `--help` stands after the name of the intent.
    var asksAboutIntent: Bool { rest.contains("--help") }

    /// Returns whether words ask for the usage of the command.
    static func askForUsage(_ words: [String]) -> Bool {
        guard words.first == Verb.run.rawValue else {
            return words.isEmpty || words.contains("--help") || words == ["help"]
        }
        // After the name of an intent, the option asks about the intent.
        return words.dropFirst().prefix { $0.hasPrefix("--") }.contains("--help")
    }

    /// Sets an option that stands after the name of the intent, where the intent has no parameter of that name.
    mutating func takeLate(_ word: String) -> Bool {
        switch word {
        case "--json": isJSON = true
        case "--guessed": isGuessed = true
        default: return false
        }
        return true
    }

    /// A line for each thing that the command does.
    static func usage(_ program: String) -> [String] {
        [
            "Usage: \(program) intents list [--all] [--json]",
            "       \(program) intents describe NAME [--json]",
            "       \(program) intents run [--json] NAME [--PARAMETER VALUE …]",
            "       \(program) intents manifest [--save]",
        ]
    }

    /// Returns a sentence that says where the usage is.
    private static func advice(_ program: String) -> String {
        "Type `\(program) intents --help` for the usage."
    }
}
