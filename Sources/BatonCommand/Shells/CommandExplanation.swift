package import BatonCore

/// The answer of `baton shell --explain`: the parts of a command line that would be told, and why the rest would not.
package struct CommandExplanation {
    /// The part of each command that would be told; nil if the line is private.
    private let commands: [ToldCommand]?

    /// Judges a line as if it were typed in the present folder.
    package init(of line: String, by settings: ShellSettings, environment: (String) -> String?) {
        let (folder, home) = (LocalPath.resolved(".") ?? "/", environment("HOME"))
        let isPrivate = line.first?.isWhitespace != false || settings.places.holds(folder: folder, home: home)
        commands = isPrivate ? nil : ToldCommand.all(of: line, by: settings, in: folder, home: home)
    }

    /// The answer for a person.
    package var lines: [VisibleText] {
        guard let commands else { return ["Nothing would be told: the command or this folder is private."] }
        guard !commands.isEmpty else { return ["Nothing would be told: no program is known."] }
        let answers = commands.map { command in
            let end = command.hidden.map { "not told: \($0.title)" } ?? "whole"
            return VisibleText("\(command.text)   (\(end))")
        }
        return answers.count == 1
            ? answers : ["Only the command that runs would be told, one of these:"] + answers
    }

    /// The answer for programs.
    package var json: JSON {
        let list = (commands ?? []).map { command in
            JSON.object([
                .init("told", .string(command.text)),
                .init("hidden", command.hidden.map { .string($0.rawValue) } ?? .null),
            ])
        }
        return .object([.init("private", .boolean(commands == nil)), .init("commands", .array(list))])
    }
}
