/// Describes a subcommand with its operands and options.
///
/// Parsing, help, completion and the manual page all use this description.
package struct CommandSpecification: Equatable, Sendable {
    package let name: String
    /// One line that says what the subcommand does.
    package let summary: String
    /// The operands, in the order in which they are typed.
    package let operands: [Operand]
    package let options: [Option]
    /// Whether the subcommand concerns one account.
    ///
    /// Only such a subcommand has the option `--account`.
    package let isOfAccount: Bool
    /// The number of operands that the subcommand uses itself; nil if it uses all of them.
    ///
    /// All words after these operands go to another program, even if they look like options.
    package let ownOperands: Int?
    /// Lines that the help shows after the options.
    package let notes: [String]

    package init(
        _ name: String, _ summary: String, operands: [Operand] = [], options: [Option] = [],
        isOfAccount: Bool = true, ownOperands: Int? = nil, notes: [String] = []
    ) {
        (self.name, self.summary, self.isOfAccount) = (name, summary, isOfAccount)
        self.ownOperands = ownOperands
        (self.operands, self.options, self.notes) = (operands, options, notes)
    }

    /// The options that other subcommands have, too.
    package var shared: [Option] { (isOfAccount ? [Self.account] : []) + Self.everywhere }

    /// A word that is typed after the subcommand's name and is not an option.
    package struct Operand: Equatable, Sendable {
        package let name: String
        package let isRequired: Bool
        /// Whether the operand may be repeated.
        ///
        /// Only the last operand of a subcommand may be.
        package var repeats = false
        /// The words that the operand may be, or an empty list if it may be any word.
        package var words: [String] = []

        /// Creates an operand that must be given once.
        package static func required(_ name: String) -> Operand { Operand(name: name, isRequired: true) }

        /// Creates an operand that must be given at least once.
        package static func repeated(_ name: String) -> Operand {
            Operand(name: name, isRequired: true, repeats: true)
        }

        /// Creates an operand that may be left out.
        package static func optional(_ name: String) -> Operand { Operand(name: name, isRequired: false) }

        /// Creates an operand that may be left out or repeated.
        ///
        /// `words` are usual values, which completion suggests.
        package static func anyNumber(_ name: String, _ words: [String] = []) -> Operand {
            Operand(name: name, isRequired: false, repeats: true, words: words)
        }

        /// Creates an operand that must be one of the given words.
        package static func choice(_ name: String, _ words: [String], isRequired: Bool = true) -> Operand {
            Operand(name: name, isRequired: isRequired, words: words)
        }
    }

    /// An option, which begins with two hyphens.
    package struct Option: Equatable, Sendable {
        /// The name without the two hyphens.
        package let name: String
        /// The name of the option's value in the usage, such as `TEXT`, or nil if the option takes no value.
        package let value: String?
        package let repeats: Bool
        package let summary: String

        /// Creates an option that takes no value.
        package static func flag(_ name: String, _ summary: String) -> Option {
            Option(name: name, value: nil, repeats: false, summary: summary)
        }

        /// Creates an option that takes a value.
        ///
        /// With `repeats`, the option may be given several times.
        package static func value(
            _ name: String, _ value: String, _ summary: String, repeats: Bool = false
        ) -> Option {
            Option(name: name, value: value, repeats: repeats, summary: summary)
        }

        /// The option as the usage shows it, such as `--title TEXT`.
        var usage: String { "--" + name + (value.map { " " + $0 } ?? "") }
    }

    /// The option that every subcommand about one account has.
    package static let account = Option.value(
        "account", "NAME", "the account to use, by its name on this machine (or set BATON_ACCOUNT)")

    /// The options that every subcommand has.
    package static let everywhere: [Option] = [
        .value("home", "DIR", "keep everything in DIR, not in the usual folders (or set BATON_HOME)"),
        .flag("json", "print data as JSON, one value per line"),
        .flag("help", "explain baton, or the command"),
        .flag("version", "print the version"),
    ]
}
