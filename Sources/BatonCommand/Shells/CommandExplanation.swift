package import BatonClient
package import BatonCore

/// Explains for `baton shell --explain` which parts of a command other machines would see, and why they would not see
/// the rest.
package struct CommandExplanation {
    /// The parts of each command that other machines would see, or nil if the line or the folder is private.
    private let commands: [ToldCommand]?

    /// Examines a line as if it had been typed in the present folder.
    package init(of line: String, by settings: ShellSettings, environment: (String) -> String?) {
        let (folder, home) = (LocalPath.resolved(".") ?? "/", environment("HOME"))
        let isPrivate = line.first?.isWhitespace != false || settings.places.holds(folder: folder, home: home)
        commands = isPrivate ? nil : ToldCommand.all(of: line, by: settings, in: folder, home: home)
    }

    /// The explanation as lines for a person.
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

    /// The explanation as JSON for programs.
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
