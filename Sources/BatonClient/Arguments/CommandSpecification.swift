/// The arguments and options of a subcommand, in one table.
///
/// The subcommand is parsed, explained and completed from it, and its page of the manual is made from it.
package struct CommandSpecification: Equatable, Sendable {
    package let name: String
    /// What it does, in a line.
    package let summary: String
    /// What stands behind its name, in this order.
    package let operands: [Operand]
    package let options: [Option]
    /// Whether it is about one account.
    package let isOfAccount: Bool
    /// What more there is to say, in lines.
    package let notes: [String]

    package init(
        _ name: String, _ summary: String, operands: [Operand] = [], options: [Option] = [],
        isOfAccount: Bool = true, notes: [String] = []
    ) {
        (self.name, self.summary, self.isOfAccount) = (name, summary, isOfAccount)
        (self.operands, self.options, self.notes) = (operands, options, notes)
    }

    /// The options that it shares with others.
    package var shared: [Option] { (isOfAccount ? [Self.account] : []) + Self.everywhere }

    /// A word behind the subcommand's name.
    package struct Operand: Equatable, Sendable {
        package let name: String
        package let isRequired: Bool
        /// Whether any number of words may stand in its place; only the last may have it.
        package var repeats = false
        /// What it can be, where that is known from the start.
        package var words: [String] = []

        /// One without which the subcommand makes no sense.
        package static func required(_ name: String) -> Operand { Operand(name: name, isRequired: true) }

        /// One or more words.
        package static func repeated(_ name: String) -> Operand {
            Operand(name: name, isRequired: true, repeats: true)
        }

        /// One that may be left out.
        package static func optional(_ name: String) -> Operand { Operand(name: name, isRequired: false) }

        /// One of some words.
        package static func choice(_ name: String, _ words: [String], isRequired: Bool = true) -> Operand {
            Operand(name: name, isRequired: isRequired, words: words)
        }
    }

    /// Something that begins with two hyphens.
    package struct Option: Equatable, Sendable {
        /// Its name without the hyphens.
        package let name: String
        /// What its value is called; nothing if it takes none.
        package let value: String?
        package let repeats: Bool
        package let summary: String

        /// An option that stands alone.
        package static func flag(_ name: String, _ summary: String) -> Option {
            Option(name: name, value: nil, repeats: false, summary: summary)
        }

        /// An option with a value, which may be given once or as often as one likes.
        package static func value(
            _ name: String, _ value: String, _ summary: String, repeats: Bool = false
        ) -> Option {
            Option(name: name, value: value, repeats: repeats, summary: summary)
        }

        /// As it is typed: `--title TEXT`.
        var usage: String { "--" + name + (value.map { " " + $0 } ?? "") }
    }

    /// The option that goes with every subcommand that is about one account.
    package static let account = Option.value(
        "account", "NAME", "the account to use, by its name on this machine (or set BATON_ACCOUNT)")

    /// The options that go with every subcommand.
    package static let everywhere: [Option] = [
        .value("home", "DIR", "keep everything in DIR, not in the usual folders (or set BATON_HOME)"),
        .flag("json", "print data as JSON, one value per line"),
        .flag("help", "explain baton, or the command"),
        .flag("version", "print the version"),
    ]
}
