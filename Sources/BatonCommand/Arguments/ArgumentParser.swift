import BatonClient
package import BatonCore

/// Parses the arguments of the `baton` command.
///
/// Options may appear anywhere before the word `--`. The form `--name=value` means the same as `--name value`.
package struct ArgumentParser {
    /// The names of all subcommands, from which a similar name is suggested after an unknown one.
    private let names: [String]
    private let specification: (String) -> CommandSpecification?

    /// Creates a parser for subcommands; `specification` returns nil for an unknown name.
    package init(names: [String], specification: @escaping (String) -> CommandSpecification?) {
        (self.names, self.specification) = (names, specification)
    }

    /// The specifications of all subcommands.
    package var specifications: [CommandSpecification] { names.compactMap(specification) }

    /// The text that lists all subcommands.
    package var overview: VisibleText { CommandSpecification.overview(specifications) }

    /// Parses the words that follow the program's name.
    package func parse(_ words: [String]) throws(LocalFailure) -> Arguments {
        var arguments = Arguments()
        var rest = words[...]
        var optionsOver = false
        while let word = rest.popFirst() {
            if let own = arguments.command?.ownOperands, arguments.operands.count >= own {
                // The other program gets the word as it is, even `--`.
                arguments.operands.append(word)
            } else if !optionsOver, word == "--" {
                optionsOver = true
            } else if !optionsOver, word.hasPrefix("-"), word != "-" {
                try option(word, &rest, &arguments)
            } else if arguments.command != nil {
                arguments.operands.append(word)
            } else {
                arguments.command = try command(word)
            }
        }
        if let command = arguments.command, !command.isOfAccount, arguments.has("account") {
            throw LocalFailure(
                .usage, "baton \(command.name) is not about one account. Leave out --account.")
        }
        if !arguments.has("help"), !arguments.has("version") { try checkOperands(of: arguments) }
        return arguments
    }

    /// Returns the specification of the subcommand with that name; throws if there is none.
    package func command(_ name: String) throws(LocalFailure) -> CommandSpecification {
        guard let command = specification(name) else {
            throw Self.wrong(
                "Unknown command: \(name).",
                Suggestion.nearest(to: name, among: names).map { "baton \($0)" },
                "See `baton help`.")
        }
        return command
    }

    /// Parses one option.
    ///
    /// Its value is the part after `=`, or else the next word.
    private func option(
        _ word: String, _ rest: inout ArraySlice<String>, _ arguments: inout Arguments
    ) throws(LocalFailure) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let typed = word == "-h" ? "--help" : String(parts[0])
        // `--account` is accepted before the subcommand is known, because most subcommands have it.
        let isOfAccount = arguments.command?.isOfAccount ?? true
        let known =
            (arguments.command?.options ?? []) + (isOfAccount ? [CommandSpecification.account] : [])
            + CommandSpecification.everywhere
        guard let option = known.first(where: { "--" + $0.name == typed }) else {
            let takesWords = arguments.command?.endsInOperands == true
            let nearest =
                takesWords ? nil : Suggestion.nearest(to: typed, among: known.map { "--" + $0.name })
            throw Self.wrong(
                arguments.command.map { "baton \($0.name) has no option \(typed)." }
                    ?? "baton has no option \(typed). Put the options of a command after its name.", nearest,
                (takesWords ? "Put `--` before words that are not options of baton. " : "")
                    + "See `baton help\(arguments.command.map { " " + $0.name } ?? "")`.")
        }
        if !option.repeats, arguments.has(option.name), option.value != nil {
            throw LocalFailure(.usage, "\(typed) is given twice.")
        }
        var value = parts.count > 1 ? String(parts[1]) : nil
        if option.value != nil {
            value = value ?? rest.popFirst()
            if value == nil { throw LocalFailure(.usage, "\(typed) needs a value: \(option.usage).") }
        } else if value != nil {
            throw LocalFailure(.usage, "\(typed) does not take a value.")
        }
        arguments.add(option.name, value: value)
    }

    /// Throws if there are too few or too many operands.
    private func checkOperands(of arguments: Arguments) throws(LocalFailure) {
        guard let command = arguments.command else { return }
        if arguments.operands.count > command.operands.count, command.operands.last?.repeats != true {
            throw LocalFailure(
                .usage,
                "Unexpected argument: \(arguments.operands[command.operands.count]). Put quotation marks around a text"
                    + " with spaces.\nUsage: \(command.usage)")
        }
        let missing = command.operands.dropFirst(arguments.operands.count)
        if let operand = missing.first(where: \.isRequired) {
            let words = operand.words.isEmpty ? "" : ", one of: " + operand.words.joined(separator: ", ")
            throw LocalFailure(.usage, "Missing argument: \(operand.name)\(words).\nUsage: \(command.usage)")
        }
    }

    /// Creates a failure that ends with the suggested name, or with the advice if there is no suggestion.
    private static func wrong(_ text: String, _ suggestion: String?, _ advice: String) -> LocalFailure {
        LocalFailure(.usage, text + "\n" + (suggestion.map { "Did you mean `\($0)`?" } ?? advice))
    }
}
