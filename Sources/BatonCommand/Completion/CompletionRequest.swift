import BatonCore

/// Finds out what can be typed at the cursor.
///
/// It reads the words before the cursor by the same specifications by which commands are parsed.
package struct CompletionRequest: Equatable, Sendable {
    /// The part of the current word that precedes the option's value, such as `--home=`, or an empty text.
    package private(set) var head = ""
    /// The part of the word or value that was already typed.
    package private(set) var beginning: String
    package private(set) var place = CompletionPlace.nothing
    /// The operands before the current word.
    package private(set) var operands: [String] = []
    /// The values of the options `--home` and `--account`.
    package private(set) var home: String?, account: String?

    /// Reads the words after the program's name.
    ///
    /// The last word is still being typed, and may be empty.
    package init(_ words: [String], among commands: [CommandSpecification]) {
        var reading = Reading(commands: commands)
        for word in words.dropLast() { reading.readWord(word) }
        beginning = words.last ?? ""
        (home, account) = (reading.values["home"], reading.values["account"])
        operands = reading.typed
        place = reading.place(of: beginning)
        if reading.awaited != nil { return }
        if place.takesParameters, beginning.hasPrefix("--"), let sign = beginning.firstIndex(of: "=") {
            // The value of an intent's parameter is completed as if its name were a word of its own.
            operands.append(String(beginning[..<sign]))
            head = String(beginning[...sign])
            beginning = String(beginning[beginning.index(after: sign)...])
            return
        }
        guard !reading.areOptionsOver, !reading.isForOtherProgram, beginning.hasPrefix("--"),
            let sign = beginning.firstIndex(of: "="),
            let option = reading.option(named: beginning[..<sign])
        else { return }
        (head, place) = (String(beginning[...sign]), option.value == nil ? .nothing : CompletionPlace(option))
        beginning = String(beginning[beginning.index(after: sign)...])
    }

    /// Returns the candidates that begin with the typed text and are safe in every shell and terminal.
    ///
    /// Other devices chose some of the candidates, such as titles. Such a name may contain characters that are special
    /// in a shell. To escape them, one would have to know which quotation marks are open at the cursor, and not every
    /// shell says so. So a name with such characters is not offered. A person can still type it.
    package func fitting(_ candidates: [CompletionPlace.Candidate]) -> [CompletionPlace.Candidate] {
        candidates.compactMap { candidate in
            guard candidate.word.hasPrefix(beginning), candidate.isPlain, isOperand(candidate.word) else {
                return nil
            }
            return CompletionPlace.Candidate(head + candidate.word, VisibleText(candidate.summary).text)
        }
    }

    /// Whether the command would read the word as an operand, and not as an option.
    private func isOperand(_ word: String) -> Bool {
        switch place {
        case .words: true
        case _ where place.takesParameters: true
        // The word is the value of an option, and a hyphen sorts downwards.
        case .properties: true
        // The command compares bytes. As a Swift character, a hyphen with an accent is not equal to a hyphen.
        default: word.utf8.first != UInt8(ascii: "-")
        }
    }
}

extension CompletionPlace.Candidate {
    /// Whether the word has only visible letters and digits, and signs that are harmless in every shell.
    ///
    /// The word may contain spaces and apostrophes, which the shell's script must quote. If the script fails to, the
    /// worst result is that the word becomes two arguments.
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

/// Reads the complete words before the cursor, and ignores words that it does not understand.
private struct Reading {
    let commands: [CommandSpecification]
    var command: CommandSpecification?
    /// The operands that were read.
    var typed: [String] = []
    var areOptionsOver = false
    var values: [String: String] = [:]
    /// The option whose value is the next word, or nil if no value is expected.
    var awaited: CommandSpecification.Option?
    /// The names of the options that were given and may not be repeated.
    var given: Set<String> = []

    init(commands: [CommandSpecification]) { self.commands = commands }

    mutating func readWord(_ word: String) {
        if isForOtherProgram {
            typed.append(word)
        } else if let option = awaited {
            (awaited, values[option.name]) = (nil, word)
        } else if !areOptionsOver, word == "--" {
            areOptionsOver = true
        } else if !areOptionsOver, word.hasPrefix("-"), word != "-" {
            takeOption(word)
        } else if command != nil {
            typed.append(word)
        } else {
            command = commands.first { $0.name == word }
        }
    }

    /// Whether the current word is an argument of the program that the subcommand runs.
    var isForOtherProgram: Bool { command?.ownOperands.map { typed.count >= $0 } ?? false }

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

    /// Returns the kind of the current word, which begins with the given text.
    func place(of beginning: String) -> CompletionPlace {
        if let awaited { return CompletionPlace(awaited) }
        if !areOptionsOver, !isForOtherProgram, beginning.hasPrefix("-") {
            let left = options.filter { !given.contains($0.name) }
            return .words(left.map { CompletionPlace.Candidate("--" + $0.name, $0.summary) })
        }
        guard let command else {
            return .words(commands.map { CompletionPlace.Candidate($0.name, $0.summary) })
        }
        let place = min(typed.count, command.operands.count - 1)
        guard place >= 0, typed.count == place || command.operands[place].repeats else { return .nothing }
        return CompletionPlace(command.operands[place], of: command, in: commands)
    }
}
