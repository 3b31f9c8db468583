/// One command of a line: its program, and the plain words after it.
struct ReadCommand {
    /// The wrappers, followed by the program.
    ///
    /// The array is empty if the program is not known.
    private(set) var programs: [String] = []
    /// The plain words after the program.
    private(set) var words: [String] = []
    /// The first part that is not plain, or nil if all parts are plain.
    private(set) var hidden: HiddenPart?
    /// Whether the command is a part of a pipe.
    let isPiped: Bool
    /// The range of the command in the line, without the assignments before it.
    ///
    /// `wholePlace` is the range with the assignments.
    private(set) var place: Range<Int>
    private(set) var wholePlace: Range<Int>

    /// Programs and words that are often followed by a text or a secret, in small letters.
    ///
    /// Each part of a word, such as `psk` in `wifi-sec.psk`, is compared with these.
    private static let ushers: Set<String> = [
        "echo", "printf", "print", "read", "set", "setenv", "export", "declare", "typeset", "local",
        "readonly",
        "let", "eval", "alias", "abbr", "string", "type", "wall", "write", "say", "espeak",
        "grep", "egrep", "fgrep", "zgrep", "pgrep", "rg", "ag", "ack", "sed", "awk", "jq",
        "smbclient", "sqlplus", "sqlldr", "expdp", "impdp", "rman", "isql", "oathtool", "encrypt", "obscure",
        "auth", "login", "register", "config", "user", "pw", "pwd", "pin", "psk", "key", "keys", "otp", "mfa",
    ]
    /// The words that begin a compound command.
    ///
    /// The command itself runs no program.
    private static let compounds: Set<String> = ["for", "select", "case", "function", "[[", "switch"]

    /// Parses the words of a command; nil if the command runs no program.
    init?(_ command: TypedLine.Command, isPrivate: (String) -> Bool) {
        isPiped = command.isPiped
        var rest = command.words[...]
        func at() -> TypedLine.Word? { rest.first }
        while let word = at(), word.mark == nil, TypedLine.keywords.contains(word.text), word.text != "time" {
            rest.removeFirst()
        }
        guard let begin = at(), let end = rest.last, !Self.compounds.contains(begin.text) else { return nil }
        while let word = at(), Self.isAssignment(word) {
            rest.removeFirst()
            hidden = .assignment
        }
        guard let start = at() else { return nil }
        place = start.place.lowerBound..<end.place.upperBound
        wholePlace = begin.place.lowerBound..<end.place.upperBound
        var stop: HiddenPart?
        while stop == nil, let word = at(), word.mark == nil,
            let wrapper = CommandWrapper.all[Self.name(word.text)]
        {
            programs.append(word.text)
            rest.removeFirst()
            let (hidden, reason) = Self.skipOptions(of: wrapper, named: Self.name(word.text), &rest)
            self.hidden = self.hidden ?? hidden
            stop = reason
        }
        if stop == nil, let word = at() {
            if let mark = word.mark {
                stop = mark
            } else if !PlainWord.isProgram(word.text) {
                stop = .word
            } else {
                programs.append(word.text)
                rest.removeFirst()
            }
        }
        if stop == nil, let program = programs.last {
            stop = readWords(rest, of: Self.name(program), isPrivate)
        }
        hidden = hidden ?? stop ?? (isPiped ? .pipe : nil)
    }

    /// Reads the plain words after the program.
    ///
    /// If it stops before the end, it returns the kind of the part at which it stopped. Otherwise, it returns nil.
    private mutating func readWords(
        _ rest: ArraySlice<TypedLine.Word>, of program: String, _ isPrivate: (String) -> Bool
    ) -> HiddenPart? {
        var previous = program
        for word in rest {
            if let mark = word.mark { return word.text.first == "-" ? .option : mark }
            if word.text.first == "-" || word.text.first == "+" { return .option }
            if word.text.contains("=") { return .assignment }
            if Self.isUsher(previous) { return .argument }
            guard PlainWord.isPlain(word.text) else { return .word }
            if isPrivate(word.text) { return .place }
            words.append(word.text)
            previous = word.text
        }
        return nil
    }

    /// Whether a text or a secret may follow a word, such as `wifi-sec.psk`, `add_user` or `requirepass`.
    private static func isUsher(_ word: String) -> Bool {
        let parts = name(word).lowercased().split { !$0.isLetter }
        return parts.contains { ushers.contains(String($0)) || $0.contains("pass") }
    }

    /// Skips the options and assignments of a wrapper.
    ///
    /// `hidden` is the kind of a part that was skipped, or nil if nothing was skipped. `stop` is not nil if an option
    /// is unknown or is changed by the shell, because the program can't be found then.
    private static func skipOptions(
        of wrapper: CommandWrapper, named name: String, _ rest: inout ArraySlice<TypedLine.Word>
    ) -> (hidden: HiddenPart?, stop: HiddenPart?) {
        var hidden: HiddenPart?
        while let word = rest.first {
            if isAssignment(word), ["env", "sudo", "doas"].contains(name) {
                rest.removeFirst()
                hidden = .assignment
            } else if word.text.first == "-" {
                guard word.mark == nil else { return (.option, .option) }
                if wrapper.values.contains(word.text), rest.count > 1 {
                    rest.removeFirst(2)
                } else if wrapper.flags.contains(word.text) {
                    rest.removeFirst()
                } else {
                    return (.option, .option)
                }
                hidden = hidden ?? .option
            } else {
                break
            }
        }
        return (hidden, nil)
    }

    /// Whether a word before the program assigns a value to a variable.
    private static func isAssignment(_ word: TypedLine.Word) -> Bool {
        guard let end = word.text.firstIndex(of: "="), end != word.text.startIndex else { return false }
        let name = word.text[..<end]
        let letters = name.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        let rest = name[letters.endIndex...]
        return !letters.isEmpty && letters.first?.isNumber == false
            && (rest.isEmpty || rest == "+" || rest.first == "[")
    }

    /// The name of a program, which is the last component of its path.
    static func name(_ program: String) -> String { LocalPath.name(of: program) }

    /// Whether a process with this name may run one of the command's programs.
    func isNamed(_ process: String) -> Bool { programs.contains { Self.isProgram($0, named: process) } }

    /// The number of the command's programs that processes with these names may run.
    func count(of processes: [String]) -> Int {
        programs.count { program in processes.contains { Self.isProgram(program, named: $0) } }
    }

    /// Whether a process with this name may run a program.
    ///
    /// The kernel keeps only 15 bytes of a process's name. Some programs add their arguments to their names.
    static func isProgram(_ program: String, named process: String) -> Bool {
        let name = Array(Self.name(program).utf8.prefix(15))
        return process.utf8.elementsEqual(name) || process.utf8.starts(with: name + [UInt8(ascii: " ")])
    }
}
