package import BatonCore

extension CommandSpecification {
    /// How it is typed: `baton join CODE --at HOST:PORT [--name NAME]` and so on.
    package var usage: String {
        let operands = operands.map { ($0.isRequired ? $0.name : "[\($0.name)]") + ($0.repeats ? "…" : "") }
        let options = options.map { "[\($0.usage)]" + ($0.repeats ? "…" : "") }
        let rest = endsInOperands ? options + operands : operands + options
        return (["baton", name] + rest).joined(separator: " ")
    }

    /// Whether options stand first: what takes any number of words would take them for more.
    var endsInOperands: Bool { operands.last?.repeats == true }

    /// What `--help` says of it.
    package var help: VisibleText {
        var lines = Self.wrapped("Usage: " + usage, indent: 11) + ["", summary]
        if !options.isEmpty {
            lines += ["", "Options:"] + Self.columns(options.map { ($0.usage, $0.summary) })
        }
        lines += ["", "Options of every command:"] + Self.columns(shared.map { ($0.usage, $0.summary) })
        if !notes.isEmpty { lines += [""] + notes }
        return VisibleText(harmless: lines.joined(separator: "\n"))
    }

    /// What `baton help` says.
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

    /// Two columns, as wide as the first needs; what does not fit a line goes on below.
    private static func columns(_ rows: [(String, String)]) -> [String] {
        let width = rows.reduce(0) { max($0, $1.0.count) } + 4
        return rows.flatMap { name, summary in
            let head = "  " + name + String(repeating: " ", count: width - name.count - 2)
            return wrapped(head + summary, indent: width)
        }
    }

    /// A text in lines of at most 80 characters, those after the first one indented.
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
