/// The parsed arguments of the command.
package struct Arguments: Equatable, Sendable {
    /// The subcommand, or nil if none was named.
    package internal(set) var command: CommandSpecification?
    /// The words that follow the subcommand's name and are not options.
    package internal(set) var operands: [String] = []
    /// The values of each given option, in order.
    ///
    /// An option that takes no value has an empty list.
    private var options: [String: [String]] = [:]

    /// The operand at an index, or nil if there are fewer operands.
    package subscript(place: Int) -> String? { place < operands.count ? operands[place] : nil }

    /// Whether the option was given.
    package func has(_ option: String) -> Bool {
        checkDeclared(option)
        return options[option] != nil
    }

    /// The last value given for an option, or nil if the option was not given.
    package func value(_ option: String) -> String? {
        checkDeclared(option)
        return options[option]?.last
    }

    /// All values given for an option that may be repeated.
    package func values(_ option: String) -> [String] {
        checkDeclared(option)
        return options[option] ?? []
    }

    /// Notes that an option was given, with its value if it takes one.
    mutating func add(_ option: String, value: String?) {
        options[option, default: []].append(contentsOf: value.map { [$0] } ?? [])
    }

    /// Stops the program if no specification declares the option, since a misspelt name would never be found.
    private func checkDeclared(_ option: String) {
        let declared =
            (command?.options ?? []) + [CommandSpecification.account] + CommandSpecification.everywhere
        precondition(declared.contains { $0.name == option }, "an option is asked for that is in no table")
    }
}
