/// The kind of word that can be completed at the cursor.
package enum CompletionPlace: Equatable, Sendable {
    /// Nothing can be suggested.
    case nothing
    /// One of these words.
    case words([Candidate])
    /// Completed by the shell itself.
    case files, folders
    /// Found in the home.
    case accounts
    /// Known to the node; `activityNames` also has titles, for commands that accept them.
    case devices, activities, activityNames, types

    /// A suggested word, and what it means.
    package struct Candidate: Equatable, Sendable {
        package var word: String
        package var summary: String

        package init(_ word: String, _ summary: String = "") { (self.word, self.summary) = (word, summary) }
    }

    /// The kind of an operand, by its name in the usage.
    init(
        _ operand: CommandSpecification.Operand, of command: CommandSpecification,
        in all: [CommandSpecification]
    ) {
        guard operand.words.isEmpty else {
            self = .words(operand.words.map { Candidate($0) })
            return
        }
        switch operand.name {
        // A command to run begins with a program.
        case "COMMAND" where operand.repeats: self = .files
        case "COMMAND": self = .words(all.map { Candidate($0.name, $0.summary) })
        // Only the app knows the identifiers of its items.
        case "ID" where command.operands.contains { $0.name == "APP" }: self = .nothing
        default: self = Self.named(operand.name)
        }
    }

    /// The kind of an option's value.
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
        default: .nothing
        }
    }
}
