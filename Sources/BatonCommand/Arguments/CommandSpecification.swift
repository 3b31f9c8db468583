/// The operands and options of a subcommand, in one table.
///
/// Parsing, help, completion and the manual page all use it.
package struct CommandSpecification: Equatable, Sendable {
    package let name: String
    /// One line that says what the subcommand does.
    package let summary: String
    /// The operands, in order.
    package let operands: [Operand]
    package let options: [Option]
    /// Whether the subcommand is about one account.
    package let isOfAccount: Bool
    /// Further lines of the help.
    package let notes: [String]

    package init(
        _ name: String, _ summary: String, operands: [Operand] = [], options: [Option] = [],
        isOfAccount: Bool = true, notes: [String] = []
    ) {
        (self.name, self.summary, self.isOfAccount) = (name, summary, isOfAccount)
        (self.operands, self.options, self.notes) = (operands, options, notes)
    }

    /// The options that it shares with other subcommands.
    package var shared: [Option] { (isOfAccount ? [Self.account] : []) + Self.everywhere }

    /// A word after the subcommand's name.
    package struct Operand: Equatable, Sendable {
        package let name: String
        package let isRequired: Bool
        /// Whether it may be repeated; only for the last operand.
        package var repeats = false
        /// The possible words, if they are known.
        package var words: [String] = []

        /// A required operand.
        package static func required(_ name: String) -> Operand { Operand(name: name, isRequired: true) }

        /// A required operand that may be repeated.
        package static func repeated(_ name: String) -> Operand {
            Operand(name: name, isRequired: true, repeats: true)
        }

        /// An optional operand.
        package static func optional(_ name: String) -> Operand { Operand(name: name, isRequired: false) }

        /// An optional operand that may be repeated, with the words that are usual for it, if any are.
        package static func anyNumber(_ name: String, _ words: [String] = []) -> Operand {
            Operand(name: name, isRequired: false, repeats: true, words: words)
        }

        /// An operand that is one of these words.
        package static func choice(_ name: String, _ words: [String], isRequired: Bool = true) -> Operand {
            Operand(name: name, isRequired: isRequired, words: words)
        }
    }

    /// An option, which begins with two hyphens.
    package struct Option: Equatable, Sendable {
        /// Its name without the hyphens.
        package let name: String
        /// The name of its value in the usage, or nil if it takes none.
        package let value: String?
        package let repeats: Bool
        package let summary: String

        /// An option without a value.
        package static func flag(_ name: String, _ summary: String) -> Option {
            Option(name: name, value: nil, repeats: false, summary: summary)
        }

        /// An option with a value, which may be repeated if that is said.
        package static func value(
            _ name: String, _ value: String, _ summary: String, repeats: Bool = false
        ) -> Option {
            Option(name: name, value: value, repeats: repeats, summary: summary)
        }

        /// The option as it is typed: `--title TEXT`.
        var usage: String { "--" + name + (value.map { " " + $0 } ?? "") }
    }

    /// The option of every subcommand about one account.
    package static let account = Option.value(
        "account", "NAME", "the account to use, by its name on this machine (or set BATON_ACCOUNT)")

    /// The options of every subcommand.
    package static let everywhere: [Option] = [
        .value("home", "DIR", "keep everything in DIR, not in the usual folders (or set BATON_HOME)"),
        .flag("json", "print data as JSON, one value per line"),
        .flag("help", "explain baton, or the command"),
        .flag("version", "print the version"),
    ]
}
