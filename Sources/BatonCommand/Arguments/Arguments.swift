/// The parsed arguments of the command.
package struct Arguments: Equatable, Sendable {
    /// The subcommand, or nil if none was named.
    package internal(set) var command: CommandSpecification?
    /// The words after the subcommand's name.
    package internal(set) var operands: [String] = []
    /// The values of each given option, in order; empty for a flag.
    private var options: [String: [String]] = [:]

    /// The operand at a place, or nil if there are fewer.
    package subscript(place: Int) -> String? { place < operands.count ? operands[place] : nil }

    /// Whether the option was given.
    package func has(_ option: String) -> Bool {
        checkDeclared(option)
        return options[option] != nil
    }

    /// The last value of an option, or nil if it was not given.
    package func value(_ option: String) -> String? {
        checkDeclared(option)
        return options[option]?.last
    }

    /// All values of an option that may be repeated.
    package func values(_ option: String) -> [String] {
        checkDeclared(option)
        return options[option] ?? []
    }

    /// Adds an option.
    mutating func add(_ option: String, value: String?) {
        options[option, default: []].append(contentsOf: value.map { [$0] } ?? [])
    }

    /// Catches a misspelt option name, which would never be found.
    private func checkDeclared(_ option: String) {
        let declared =
            (command?.options ?? []) + [CommandSpecification.account] + CommandSpecification.everywhere
        precondition(declared.contains { $0.name == option }, "an option is asked for that is in no table")
    }
}
