/// The last message of a shell: it shows its prompt, or a command has begun.
///
/// The shell writes the report with a builtin command over a small file. So no program is started, and no reader can
/// block the shell. Each field ends with a zero byte. The last field is a full stop followed by the number of the
/// report. By it, an incomplete report is recognised, even if the rest of a longer previous report follows.
package struct ShellReport: Equatable, Sendable {
    /// The folder of the shell.
    package var folder: String
    /// Whether the shell shows its prompt or runs a command.
    package var state: State
    /// The last line of the shell's history, or nil.
    ///
    /// Only bash reports it, because bash does not report the whole line that was typed.
    var history: History?
    /// Whether the report has a field for the history, even if the history is empty.
    private let reportsHistory: Bool

    package enum State: Equatable, Sendable {
        case prompt
        /// A line that was typed.
        ///
        /// Bash reports only the line's first command.
        case command(String)
    }

    struct History: Equatable, Sendable {
        var number: Int
        var line: String
    }

    /// The maximum size of a report in bytes.
    ///
    /// A person would not read a longer command in a list.
    package static let bytesMost = 64 << 10

    /// Parses a report; nil if the report is incomplete or malformed.
    package init?(_ bytes: [UInt8]) {
        let fields = bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
            String(decoding: $0, as: UTF8.self)
        }
        guard fields.count > 4, fields[0] == "1", fields[2].hasPrefix("/") else { return nil }
        let fieldsFewest: Int
        switch fields[3] {
        case "prompt": (state, fieldsFewest) = (.prompt, 4)
        case "command": (state, fieldsFewest) = (.command(fields[4]), 5)
        default: return nil
        }
        guard let end = fields.dropFirst(fieldsFewest).firstIndex(of: "." + fields[1]) else { return nil }
        folder = fields[2]
        reportsHistory = end > 5
        if reportsHistory { history = History(fields[5]) }
    }

    /// Returns the line that was typed, or nil if the shell does not keep it in its history.
    ///
    /// If a person types a space before a command, or excludes the command from the history, they don't want it to be
    /// stored. `atPrompt` is the last line of the history before the command.
    func typed(after atPrompt: History?) -> String? {
        guard case .command(let command) = state else { return nil }
        var line = command
        if reportsHistory {
            // If the history is empty or its last number has not changed, the line was excluded. But if the line equals
            // the previous line, the number does not change either.
            guard let history, history.number != atPrompt?.number || history.begins(with: command) else {
                return nil
            }
            line = history.line
        }
        guard line.first?.isWhitespace == false else { return nil }
        return String(line.trimmingEnd())
    }
}

extension ShellReport.History {
    /// Parses the output of `history 1` in bash.
    ///
    /// The output is a number, a mark for lines that were changed, a space, and the line.
    fileprivate init?(_ text: String) {
        let digits = text.drop { $0 == " " }.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits), digits.endIndex < text.endIndex else { return nil }
        self.number = number
        line = String(String(text[digits.endIndex...].dropFirst(2)).trimmingEnd())
    }

    /// Whether the line begins with the command, and the command ends there.
    fileprivate func begins(with command: String) -> Bool {
        guard line.hasPrefix(command) else { return false }
        return line.dropFirst(command.count).first.map { $0.isWhitespace || ";&|<>)".contains($0) } ?? true
    }
}

extension String {
    /// The text without white space at its end.
    fileprivate func trimmingEnd() -> Substring {
        var rest = self[...]
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }
}
