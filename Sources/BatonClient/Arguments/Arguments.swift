/// What a person typed, sorted by the specification of the subcommand.
package struct Arguments: Equatable, Sendable {
    /// The subcommand; nothing if none was named.
    package internal(set) var command: CommandSpecification?
    /// The words behind the subcommand's name.
    package internal(set) var operands: [String] = []
    /// The values of each option that was given, in order; none for a flag.
    private var options: [String: [String]] = [:]

    /// The word at a place behind the subcommand's name, if it is there.
    package subscript(place: Int) -> String? { place < operands.count ? operands[place] : nil }

    /// True if the option was given.
    package func has(_ option: String) -> Bool {
        checkDeclared(option)
        return options[option] != nil
    }

    /// The value of an option, if it was given.
    package func value(_ option: String) -> String? {
        checkDeclared(option)
        return options[option]?.last
    }

    /// All values of an option that may be repeated.
    package func values(_ option: String) -> [String] {
        checkDeclared(option)
        return options[option] ?? []
    }

    /// Takes an option as it was given.
    mutating func add(_ option: String, value: String?) {
        options[option, default: []].append(contentsOf: value.map { [$0] } ?? [])
    }

    /// Asking for an option that no table names would always find nothing.
    private func checkDeclared(_ option: String) {
        let declared =
            (command?.options ?? []) + [CommandSpecification.account] + CommandSpecification.everywhere
        precondition(declared.contains { $0.name == option }, "an option is asked for that is in no table")
    }
}
