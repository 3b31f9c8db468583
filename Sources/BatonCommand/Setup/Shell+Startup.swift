/// The start-up files of shells, and the line for them.
extension Shell {
    /// The line that connects the shell to Baton.
    ///
    /// `options` are those by which the shell's helper finds the same home and account.
    package func startupLine(options: [String] = []) -> String {
        let words = options.map { " " + startupWord($0) }.joined()
        return lineParts.start + words + lineParts.end
    }

    /// Quotes a word for the shell, if it needs that.
    private func startupWord(_ word: String) -> String {
        let quoted = ShellWord.quoted(word)
        return self == .fish && quoted != word ? Shell.fishWord(word) : quoted
    }

    /// The parts of the line around its options.
    private var lineParts: (start: String, end: String) {
        switch self {
        case .bash, .zsh: ("eval \"$(baton shell \(rawValue)", ")\"")
        case .fish: ("baton shell fish", " | source")
        }
    }

    /// Whether `startupLine` returns this line, with some options.
    func isOwnLine(_ line: String) -> Bool {
        let (start, end) = lineParts
        guard line.hasPrefix(start), line.hasSuffix(end), line.utf8.count >= start.utf8.count + end.utf8.count
        else { return false }
        let options = line.dropFirst(start.count).dropLast(end.count)
        return options.isEmpty || options.hasPrefix(" --home ") || options.hasPrefix(" --account ")
    }

    // MARK: Files

    /// Whether the person uses the shell: it is their login shell, or it is installed and its start-up file exists.
    package func isHere(environment: (String) -> String?) -> Bool {
        if environment("SHELL").map({ LocalPath.name(of: $0) }) == rawValue { return true }
        guard let file = startupFile(environment: environment), !PlainFile.isMissing(file) else {
            return false
        }
        return ProgramStart.isThere(rawValue, path: environment("PATH"))
    }

    /// The file to which the line is added; nil without a home folder.
    package func startupFile(environment: (String) -> String?) -> String? {
        let home = StartupFolder.named("HOME", environment)
        switch self {
        case .bash: return home.map { $0 + "/.bashrc" }
        case .zsh: return (StartupFolder.named("ZDOTDIR", environment) ?? home).map { $0 + "/.zshrc" }
        case .fish: return StartupFolder.configuration(environment).map { $0 + "/fish/config.fish" }
        }
    }

    /// The files in which a person may have put the line, beginning with that to which it is added.
    package func readFiles(environment: (String) -> String?) -> [String] {
        guard let file = startupFile(environment: environment) else { return [] }
        let folder = LocalPath.folder(of: file)
        switch self {
        case .bash: return [file, folder + "/.bash_aliases"]
        case .zsh: return [file, folder + "/.zshenv"]
        case .fish:
            let snippets = folder + "/conf.d"
            let names = PlainFile.names(in: snippets, most: 1000) ?? []
            return [file] + names.filter { $0.hasSuffix(".fish") }.sorted().map { "\(snippets)/\($0)" }
        }
    }

    // MARK: Lines that a person typed

    /// Whether a line runs `baton shell` for this shell.
    ///
    /// The line may use `source` in place of `eval`, a path of `baton`, options, conditions or a variable with the name
    /// of the shell.
    func isConnected(by line: String) -> Bool {
        let code = Self.withoutComment(line)
        let words = code.split { " \t\r\"'`$();|&<>{}=".contains($0) }.map(String.init)
        if ["echo", "printf", "print", "alias"].contains(words.first) { return false }
        guard let program = words.firstIndex(where: { LocalPath.name(of: $0) == "baton" }),
            let subcommand = words[program...].firstIndex(of: "shell")
        else { return false }
        let rest = words[(subcommand + 1)...]
        if !["--remove", "--segment", "--explain", "--follow"].allSatisfy({ !rest.contains($0) }) {
            return false
        }
        if rest.contains(rawValue) { return true }
        // A variable stands for the shell that reads the file.
        return Shell.allCases.allSatisfy { !rest.contains($0.rawValue) }
            && (code.contains("$SHELL") || code.contains("${SHELL"))
    }

    /// Returns a line up to its comment.
    private static func withoutComment(_ line: String) -> Substring {
        var (quotation, last): (Character?, Character) = (nil, " ")
        for place in line.indices {
            let character = line[place]
            if quotation == nil, character == "#", last.isWhitespace || last == ";" { return line[..<place] }
            if character == quotation {
                quotation = nil
            } else if quotation == nil, character == "\"" || character == "'" {
                quotation = character
            }
            last = character
        }
        return line[...]
    }
}
