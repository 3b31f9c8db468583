/// The part of a command that other machines may see.
///
/// It is the program and the plain words after it, or the whole command if the person allows this.
package struct ToldCommand: Equatable, Sendable {
    /// The text.
    ///
    /// It ends with an ellipsis if other machines don't see the rest of the command.
    package let text: String
    /// The kind of the first part that other machines don't see, or nil if they see the whole command.
    package let hidden: HiddenPart?

    /// The maximum number of characters of the text.
    private static let charactersMost = 200

    private init(_ text: String, _ hidden: HiddenPart?) {
        let isLong = text.count > Self.charactersMost
        self.hidden = hidden ?? (isLong ? .rest : nil)
        self.text =
            (isLong ? String(text.prefix(Self.charactersMost)) : text) + (self.hidden == nil ? "" : " …")
    }

    /// The commands that the shell itself runs, and that take no time.
    private static let immediate: Set<String> = [
        "cd", "pushd", "popd", "export", "set", "unset", "alias", "true", "false", ":", "umask", "ulimit",
    ]

    /// Returns the visible part of each command of a line, or nil if the line is private.
    package static func all(
        of line: String, by settings: ShellSettings, in folder: String, home: String?
    ) -> [ToldCommand]? {
        guard !settings.places.holds(command: line) else { return nil }
        let typed = TypedLine(line)
        return read(typed, settings, folder, home).compactMap { told($0, of: typed, settings, folder, home) }
    }

    /// Returns the visible part of the line's current command, or nil if no part may be seen.
    ///
    /// `running` has the names of the processes in the foreground of the terminal. The first one leads their group. It
    /// is nil if the shell itself is in the foreground. If the line has only one command, the names are not needed.
    static func running(
        _ running: [String]?, of line: String, by settings: ShellSettings, in folder: String, home: String?
    ) -> ToldCommand? {
        guard !settings.places.holds(command: line) else { return nil }
        let typed = TypedLine(line)
        let commands = read(typed, settings, folder, home)
        if typed.commands.count == 1, !typed.isCut, !typed.hasSubstitution {
            return commands.first.flatMap { told($0, of: typed, settings, folder, home) }
        }
        guard let running else { return nil }
        let named = named(running, among: commands)
        if !named.isEmpty {
            let told = named.map { Self.told($0, of: typed, settings, folder, home) }
            if told.allSatisfy({ $0 == told[0] }) { return told[0] }
            // Several commands may be the current one. So only the programs with which all of them begin are shown.
            let first = named[0].programs
            let common = first.indices.prefix { place in
                named.allSatisfy { $0.programs.dropFirst(place).first == first[place] }
            }
            if !common.isEmpty { return ToldCommand(first[common].joined(separator: " "), .rest) }
        }
        // Aliases, functions and scripts run under other names. But if only one command of the line takes time, it must
        // be this one.
        let lasting = commands.filter { !immediate.contains($0.programs.last ?? "") }
        if lasting.count == 1, !typed.isCut, !typed.hasSubstitution,
            typed.commands.allSatisfy({ !$0.isPiped && !$0.isInBackground })
        {
            if let told = told(lasting[0], of: typed, settings, folder, home) { return told }
        }
        guard let name = running.first, PlainWord.isProgram(name), !settings.places.holds(command: name)
        else {
            return nil
        }
        return ToldCommand(name, .rest)
    }

    /// Whether a process with this name may run the command.
    func names(process: String) -> Bool {
        text.split(separator: " ").contains { ReadCommand.isProgram(String($0), named: process) }
    }

    /// Returns the commands that may be the current one, judging by the names of the processes in the foreground.
    ///
    /// In `sudo a; sudo b`, the leading process `sudo` belongs to both commands. So the command with more of the names
    /// is preferred.
    private static func named(_ running: [String], among commands: [ReadCommand]) -> [ReadCommand] {
        for name in running {
            let named = commands.filter { $0.isNamed(name) }
            let counts = named.map { $0.count(of: running) }
            guard let most = counts.max() else { continue }
            return zip(named, counts).filter { $0.1 == most }.map(\.0)
        }
        return []
    }

    private static func read(
        _ line: TypedLine, _ settings: ShellSettings, _ folder: String, _ home: String?
    ) -> [ReadCommand] {
        line.commands.compactMap { command in
            guard !command.isInBackground || line.commands.count == 1 else { return nil }
            return ReadCommand(command) { settings.places.holds(word: $0, in: folder, home: home) }
        }
    }

    private static func told(
        _ command: ReadCommand, of line: TypedLine, _ settings: ShellSettings, _ folder: String,
        _ home: String?
    ) -> ToldCommand? {
        guard !command.programs.isEmpty else { return nil }
        let isLast = command.wholePlace.upperBound == line.commands.last?.words.last?.place.upperBound
        let isOpen = command.isPiped || line.isCut && isLast
        if settings.tellsAll(in: folder, home: home) {
            return ToldCommand(line.text(command.wholePlace), isOpen ? .rest : nil)
        }
        if settings.wholeCommands.contains(ReadCommand.name(command.programs.last ?? "")) {
            let hidden: HiddenPart? = command.place == command.wholePlace ? nil : .assignment
            return ToldCommand(line.text(command.place), hidden ?? (isOpen ? .rest : nil))
        }
        return ToldCommand(
            (command.programs + command.words).joined(separator: " "),
            command.hidden ?? (isOpen ? .rest : nil))
    }
}
