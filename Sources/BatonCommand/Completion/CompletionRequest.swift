import BatonCore

/// Reads the words up to the cursor, with the tables that also parse the command, and finds what can follow.
package struct CompletionRequest: Equatable, Sendable {
    /// The part of the current word before its value, such as `--home=`.
    package private(set) var head = ""
    /// The part of the word or value that was typed.
    package private(set) var beginning: String
    package private(set) var place = CompletionPlace.nothing
    /// The home and the account that were named by options.
    package private(set) var home: String?, account: String?

    /// Reads the words after the program's name; the last one is being typed, and may be empty.
    package init(_ words: [String], among commands: [CommandSpecification]) {
        var reading = Reading(commands: commands)
        for word in words.dropLast() { reading.readWord(word) }
        beginning = words.last ?? ""
        (home, account) = (reading.values["home"], reading.values["account"])
        place = reading.place(of: beginning)
        if reading.awaited != nil { return }
        guard !reading.areOptionsOver, beginning.hasPrefix("--"), let sign = beginning.firstIndex(of: "="),
            let option = reading.option(named: beginning[..<sign])
        else { return }
        (head, place) = (String(beginning[...sign]), option.value == nil ? .nothing : CompletionPlace(option))
        beginning = String(beginning[beginning.index(after: sign)...])
    }

    /// Returns the candidates that begin with what was typed and are safe for every shell and terminal.
    ///
    /// Some candidates are names that other devices chose. Only the shell knows which quotation marks are open, in how
    /// many layers, and not every shell does. So a name with a special character of any shell is not offered; it can
    /// still be typed.
    package func fitting(_ candidates: [CompletionPlace.Candidate]) -> [CompletionPlace.Candidate] {
        candidates.compactMap { candidate in
            guard candidate.word.hasPrefix(beginning), candidate.isPlain, isOperand(candidate.word) else {
                return nil
            }
            return CompletionPlace.Candidate(head + candidate.word, VisibleText(candidate.summary).text)
        }
    }

    /// Whether the command would take the word as an operand.
    private func isOperand(_ word: String) -> Bool {
        if case .words = place { return true }
        // The command compares bytes; to Swift, a hyphen with an accent is another character.
        return word.utf8.first != UInt8(ascii: "-")
    }
}

extension CompletionPlace.Candidate {
    /// Whether the word consists of letters, digits and harmless signs, and all of it is visible.
    ///
    /// A shell's script must still keep spaces and apostrophes together; at worst they split the word into two
    /// arguments.
    fileprivate var isPlain: Bool {
        !word.isEmpty && VisibleText(word).text == word && word.unicodeScalars.allSatisfy(Self.isPlain)
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .decimalNumber:
            true
        default: plainSigns.contains(scalar)
        }
    }

    private static let plainSigns = Set(" '._:@/+,-".unicodeScalars)
}

/// Reads the complete words before the cursor, and skips what it does not understand.
private struct Reading {
    let commands: [CommandSpecification]
    var command: CommandSpecification?
    /// The number of operands so far.
    var operands = 0
    var areOptionsOver = false
    var values: [String: String] = [:]
    /// The option whose value is the next word.
    var awaited: CommandSpecification.Option?
    /// The options that can't be given again.
    var given: Set<String> = []

    init(commands: [CommandSpecification]) { self.commands = commands }

    mutating func readWord(_ word: String) {
        if let option = awaited {
            (awaited, values[option.name]) = (nil, word)
        } else if !areOptionsOver, word == "--" {
            areOptionsOver = true
        } else if !areOptionsOver, word.hasPrefix("-"), word != "-" {
            takeOption(word)
        } else if command != nil {
            operands += 1
        } else {
            command = commands.first { $0.name == word }
        }
    }

    private mutating func takeOption(_ word: String) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let option = option(named: parts[0]) else { return }
        if !option.repeats { given.insert(option.name) }
        guard option.value != nil else { return }
        if parts.count > 1 { values[option.name] = String(parts[1]) } else { awaited = option }
    }

    private var options: [CommandSpecification.Option] {
        guard let command else { return [CommandSpecification.account] + CommandSpecification.everywhere }
        return command.options + command.shared
    }

    func option(named word: Substring) -> CommandSpecification.Option? {
        options.first { "--" + $0.name == word }
    }

    /// The kind of a word that begins with this text.
    func place(of beginning: String) -> CompletionPlace {
        if let awaited { return CompletionPlace(awaited) }
        if !areOptionsOver, beginning.hasPrefix("-") {
            let left = options.filter { !given.contains($0.name) }
            return .words(left.map { CompletionPlace.Candidate("--" + $0.name, $0.summary) })
        }
        guard let command else {
            return .words(commands.map { CompletionPlace.Candidate($0.name, $0.summary) })
        }
        let place = min(operands, command.operands.count - 1)
        guard place >= 0, operands == place || command.operands[place].repeats else { return .nothing }
        return CompletionPlace(command.operands[place], of: command, in: commands)
    }
}
