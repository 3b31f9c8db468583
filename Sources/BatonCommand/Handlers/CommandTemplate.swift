import BatonClient
package import BatonCore

/// A command with placeholders, from the configuration file.
///
/// The command is never passed to a shell.
package struct CommandTemplate: Equatable, Sendable {
    package let arguments: [ArgumentTemplate]
    /// The names of the placeholders whose values must be paths that exist.
    package let paths: [String]

    /// The largest number of arguments that a command may have.
    static let mostArguments = 256

    /// The command as a person would type it in a shell, with its placeholders.
    package var text: String { arguments.map { ShellWord.quoted($0.text) }.joined(separator: " ") }

    /// Parses a command of the configuration file.
    ///
    /// `paths` names the placeholders whose values are paths.
    init(_ value: LocatedJSON, paths: LocatedJSON?) throws(TextError) {
        let elements = try value.elements("`run`")
        guard !elements.isEmpty else { throw TextError(value.place, "`run` must name a program") }
        guard elements.count <= Self.mostArguments else {
            throw TextError(value.place, "`run` has more than \(Self.mostArguments) arguments")
        }
        var arguments: [ArgumentTemplate] = []
        for element in elements {
            guard case .string(let text) = element.content else {
                throw TextError(element.place, "an argument must be a string")
            }
            let argument = try ArgumentTemplate(text, at: element.place)
            if arguments.isEmpty, !argument.names.isEmpty || text.isEmpty {
                throw TextError(element.place, "the program must be named without placeholders")
            }
            if !argument.names.isEmpty, let option = arguments.last?.text,
                let reader = arguments.lazy.map(\.text).first(where: { Self.obeys($0, behind: option) })
            {
                throw TextError(
                    element.place,
                    "\(reader) would run text from another machine; refer to an argument here, such as \"$1\" in a shell, and put the placeholder after it"
                )
            }
            arguments.append(argument)
        }
        self.arguments = arguments
        let used = Set(arguments.flatMap(\.names))
        self.paths =
            try paths.map { (value) throws(TextError) in
                try value.elements("`paths`").map { (element) throws(TextError) in
                    guard case .string(let name) = element.content, used.contains(name) else {
                        throw TextError(
                            element.place, "`paths` must name placeholders of `run`")
                    }
                    return name
                }
            } ?? []
    }

    /// Returns the words of the command, with the values inserted.
    package func words(_ values: ActivityValues) throws(LocalFailure) -> [String] {
        var words: [String] = []
        var optionsOver = false
        for argument in arguments {
            guard let word = try argument.word(values, paths: paths, isBehindOptions: optionsOver) else {
                continue
            }
            words.append(word)
            optionsOver = optionsOver || word == "--" && argument.names.isEmpty
        }
        return words
    }

    /// Whether a program runs the text after an option as code.
    ///
    /// The program may also be an argument, because another program, such as `env`, may start it.
    private static func obeys(_ program: String, behind option: String) -> Bool {
        guard option.utf8.first == UInt8(ascii: "-") else { return false }
        var name = program.split(separator: "/").last.map(String.init) ?? ""
        // The name may end with a version, such as `python3.13`.
        while let last = name.last, last.isNumber || last == "." { name.removeLast() }
        guard let letters = obeying.first(where: { $0.programs.contains(name) })?.letters else {
            return false
        }
        return ["--eval", "--command", "--split-string"].contains(option)
            || !option.hasPrefix("--") && option.contains(where: letters.contains)
    }

    /// Programs that run text as code, with the letters of the options that such text follows.
    private static let obeying: [(programs: Set<String>, letters: Set<Character>)] = [
        (
            [
                "sh", "bash", "dash", "zsh", "fish", "ksh", "mksh", "ash", "csh", "tcsh", "su", "script",
                "flock",
            ], ["c"]
        ),
        (["python", "pypy", "vi", "vim", "nvim", "ex", "view", "gvim"], ["c"]),
        (["perl", "ruby", "node", "lua", "osascript", "emacs", "Rscript", "guile"], ["e", "E", "p"]),
        (["php"], ["r", "R", "B", "E"]), (["env"], ["S"]),
    ]
}
