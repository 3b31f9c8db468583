/// The kind of word that can be completed at the cursor.
package enum CompletionPlace: Equatable, Sendable {
    /// There is nothing to suggest.
    case nothing
    /// The word is one of the given words.
    case words([Candidate])
    /// The shell itself completes paths of files or folders.
    case files, folders
    /// The names of the accounts on this machine.
    case accounts
    /// Names that the node knows.
    ///
    /// `activityNames` also contains titles, for commands that accept a title.
    case devices, activities, activityNames, types
    /// Words that `IntentCandidates` finds in the manifests of apps.
    ///
    /// At `openable`, a link or a type of entities is expected, and at `entities`, the title or the identifier of an
    /// entity. At `properties`, a property by which entities are sorted is expected.
    case intentApps, intents, intentArguments, entityTypes, openable, entities, properties, phrases
    /// The names of focuses and the words of `baton focus`, and the words that can follow them.
    case focusWords, focusOperands

    /// Whether an intent's parameters can be typed here, as `--NAME VALUE` or `--NAME=VALUE`.
    var takesParameters: Bool { self == .intentArguments || self == .focusOperands }

    /// A word that is suggested, with an explanation.
    package struct Candidate: Equatable, Sendable {
        package var word: String
        package var summary: String

        package init(_ word: String, _ summary: String = "") { (self.word, self.summary) = (word, summary) }
    }

    /// Decides by the name of an operand in the usage what the operand can be.
    init(
        _ operand: CommandSpecification.Operand, of command: CommandSpecification,
        in all: [CommandSpecification]
    ) {
        guard operand.words.isEmpty else {
            self = .words(operand.words.map { Candidate($0) })
            return
        }
        switch operand.name {
        // A command to run begins with the path of a program.
        case "COMMAND" where operand.repeats: self = .files
        case "COMMAND": self = .words(all.map { Candidate($0.name, $0.summary) })
        case "APP" where command.name == "run" || command.name == "intents": self = .intentApps
        case "INTENT" where command.name == "run": self = .intents
        case "ARGUMENT" where command.name == "run": self = .intentArguments
        case "ID" where command.name == "open": self = .entities
        case "FOCUS": self = .focusWords
        case "SETTING": self = .focusOperands
        // The operand is the identifier of an app's item. Only the app knows those.
        case "ID" where command.operands.contains { $0.name == "APP" }: self = .nothing
        default: self = Self.named(operand.name)
        }
    }

    /// Decides what an option's value can be.
    init(_ option: CommandSpecification.Option) {
        self = option == CommandSpecification.account ? .accounts : Self.named(option.value ?? "")
    }

    private static func named(_ name: String) -> CompletionPlace {
        switch name {
        case "FILE": .files
        case "DIR": .folders
        case "DEVICE": .devices
        case "ID": .activities
        case "ID|TYPE|TITLE": .activityNames
        case "TYPE", "TYPE|PATH|URL": .types
        case "ENTITY": .entityTypes
        case "LINK|ENTITY": .openable
        case "PROPERTY": .properties
        case "PHRASE": .phrases
        default: .nothing
        }
    }
}
