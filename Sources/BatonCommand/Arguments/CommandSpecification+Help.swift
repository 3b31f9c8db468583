package import BatonCore

extension CommandSpecification {
    /// The usage line, such as `baton join CODE --at HOST:PORT [--name NAME]`.
    package var usage: String {
        let operands = operands.map { ($0.isRequired ? $0.name : "[\($0.name)]") + ($0.repeats ? "…" : "") }
        let options = options.map { "[\($0.usage)]" + ($0.repeats ? "…" : "") }
        let rest = endsInOperands ? options + operands : operands + options
        return (["baton", name] + rest).joined(separator: " ")
    }

    /// Whether the usage shows options before operands.
    ///
    /// This is so if the last operand takes all remaining words.
    var endsInOperands: Bool { operands.last?.repeats == true }

    /// The text of `--help` for the subcommand.
    package var help: VisibleText {
        var lines = Self.wrapped("Usage: " + usage, indent: 11) + ["", summary]
        if !options.isEmpty {
            lines += ["", "Options:"] + Self.columns(options.map { ($0.usage, $0.summary) })
        }
        lines += ["", "Options of every command:"] + Self.columns(shared.map { ($0.usage, $0.summary) })
        if !notes.isEmpty { lines += [""] + notes }
        return VisibleText(harmless: lines.joined(separator: "\n"))
    }

    /// The text of `baton help`.
    package static func overview(_ commands: [CommandSpecification]) -> VisibleText {
        let lines =
            [
                "Baton hands what you are doing on one machine to another.", "",
                "Usage: baton COMMAND [OPTION]…", "", "Commands:",
            ] + columns(commands.map { ($0.name, $0.summary) }) + ["", "Options of every command:"]
            + columns(everywhere.map { ($0.usage, $0.summary) })
            + ["", "Options of every command about one account:"]
            + columns([(account.usage, account.summary)])
            + ["", "`baton help COMMAND` explains a command."]
        return VisibleText(harmless: lines.joined(separator: "\n"))
    }

    /// Formats rows in two columns.
    ///
    /// A summary that is too long for its line continues on the next line.
    private static func columns(_ rows: [(String, String)]) -> [String] {
        let width = rows.reduce(0) { max($0, $1.0.count) } + 4
        return rows.flatMap { name, summary in
            let head = "  " + name + String(repeating: " ", count: width - name.count - 2)
            return wrapped(head + summary, indent: width)
        }
    }

    /// Wraps a text to 80 characters.
    ///
    /// All lines but the first are indented by `indent`.
    private static func wrapped(_ text: String, indent: Int) -> [String] {
        var lines: [String] = []
        var rest = text[...]
        while rest.count > lineLength {
            let head = rest.prefix(lineLength + 1)
            guard let space = head.dropFirst(indent).lastIndex(of: " ") else { break }
            lines.append(String(rest[..<space]))
            rest = Substring(String(repeating: " ", count: indent) + rest[rest.index(after: space)...])
        }
        return lines + [String(rest)]
    }

    private static let lineLength = 80
}
