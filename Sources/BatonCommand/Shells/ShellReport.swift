/// The last message of a shell: that it is at its prompt, or that a command has begun.
///
/// The shell overwrites a small file with a builtin command, so that no program is started, and no reader can block the
/// shell. Each field ends with a zero byte. The last field is a full stop and the number of the report. So an
/// incomplete report is invalid, including one that is still followed by the rest of a previous report.
package struct ShellReport: Equatable, Sendable {
    /// The folder of the shell.
    package var folder: String
    /// Whether it is at its prompt.
    package var state: State
    /// The last line of the shell's history; only bash reports it, because bash does not report the whole typed line.
    var history: History?
    /// Whether the shell reports its history, which may be empty.
    private let reportsHistory: Bool

    package enum State: Equatable, Sendable {
        case prompt
        /// A command, as it was typed; from bash only its first part.
        case command(String)
    }

    struct History: Equatable, Sendable {
        var number: Int
        var line: String
    }

    /// The largest report that is read; a person would not read a longer command in a list.
    package static let bytesMost = 64 << 10

    /// Parses a report; nil if it is incomplete or malformed.
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

    /// Returns the typed line of a command, if the shell would keep it in its history.
    ///
    /// A person who types a space before a command, or excludes it from the history, does not want it to be stored.
    /// `atPrompt` is the last line of the history before the command.
    func typed(after atPrompt: History?) -> String? {
        guard case .command(let command) = state else { return nil }
        var line = command
        if reportsHistory {
            // An empty history or an unchanged number means that the line was excluded, unless it equals the previous
            // line.
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
    /// Parses the output of bash's `history 1`: a number, a mark for changed lines, a space, and the line.
    fileprivate init?(_ text: String) {
        let digits = text.drop { $0 == " " }.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits), digits.endIndex < text.endIndex else { return nil }
        self.number = number
        line = String(String(text[digits.endIndex...].dropFirst(2)).trimmingEnd())
    }

    /// Whether the line begins with this command as a whole.
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
