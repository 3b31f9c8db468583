/// A program that reads a start-up file to which `baton setup` adds lines.
package enum StartupProgram: Equatable, Sendable {
    case shell(Shell)
    case editor(Editor)

    /// The beginning of a comment in the program's language.
    var commentStart: String {
        switch self {
        case .shell: "#"
        case .editor(.vim), .editor(.neovim): "\""
        case .editor(.emacs): ";;"
        }
    }

    /// The number of lines that are added, without the comment before them.
    var lineCount: Int {
        switch self {
        case .shell: 1
        case .editor(.vim), .editor(.neovim): 2
        case .editor(.emacs): 3
        }
    }

    /// Whether `baton setup` adds such lines, as they were before a person changed them.
    func isOwn(_ lines: [String]) -> Bool {
        guard lines.count == lineCount else { return false }
        switch self {
        case .shell(let shell): return shell.isOwnLine(lines[0])
        case .editor(let editor): return editor.areOwnLines(lines)
        }
    }

    /// Whether a line connects the program to Baton, in any form that a person may have typed.
    func isActive(_ line: String) -> Bool {
        switch self {
        case .shell(let shell): shell.isConnected(by: line)
        case .editor(let editor): editor.isConnected(by: line)
        }
    }
}
