/// What can stand where a person is typing.
package enum CompletionPlace: Equatable, Sendable {
    /// Nothing that could be guessed.
    case nothing
    /// One of these, each with what it means.
    case words([Candidate])
    /// What the shell itself knows to complete.
    case files, folders
    /// What stands in the home.
    case accounts
    /// What the node is asked for.
    case devices, activities, types

    /// A word with which to go on.
    package struct Candidate: Equatable, Sendable {
        package var word: String
        package var summary: String

        package init(_ word: String, _ summary: String = "") { (self.word, self.summary) = (word, summary) }
    }

    /// What stands for an operand, by the name that it has in the usage.
    init(
        _ operand: CommandSpecification.Operand, of command: CommandSpecification,
        in all: [CommandSpecification]
    ) {
        guard operand.words.isEmpty else {
            self = .words(operand.words.map { Candidate($0) })
            return
        }
        switch operand.name {
        // A whole command that is to be run begins with a program.
        case "COMMAND" where operand.repeats: self = .files
        case "COMMAND": self = .words(all.map { Candidate($0.name, $0.summary) })
        // Items of an app bear names that only the app knows.
        case "ID" where command.operands.contains { $0.name == "APP" }: self = .nothing
        default: self = Self.named(operand.name)
        }
    }

    /// What stands for an option's value.
    init(_ option: CommandSpecification.Option) {
        self = option == CommandSpecification.account ? .accounts : Self.named(option.value ?? "")
    }

    private static func named(_ name: String) -> CompletionPlace {
        switch name {
        case "FILE": .files
        case "DIR": .folders
        case "DEVICE": .devices
        case "ID", "ID|TYPE|TITLE": .activities
        case "TYPE", "TYPE|PATH|URL": .types
        default: .nothing
        }
    }
}
