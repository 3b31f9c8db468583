package import BatonCore

/// Makes the manual page from the specifications by which commands are parsed and explained.
package struct Manual {
    private let commands: [CommandSpecification]

    package init(_ commands: [CommandSpecification]) { self.commands = commands }

    /// The page in the format roff, which `man` shows.
    package var page: VisibleText { VisibleText(harmless: lines.joined(separator: "\n")) }

    private var lines: [String] {
        var lines = [
            ".\\\" Made by `baton manual`; change the tables of the command instead.",
            ".TH BATON 1 \"\" \"Baton \(Roff.escaped(Build.version))\" \"User Commands\"", ".nh", ".ad l",
            ".ss 12 0",
        ]
        lines += [".SH NAME", "baton \\- hand what you are doing on one machine to another"]
        lines += [".SH SYNOPSIS", "\\fBbaton\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]..."]
        lines += [".SH DESCRIPTION"] + paragraphs(ManualTexts.description)
        lines += [".SH COMMANDS"] + commands.flatMap(section)
        lines += [".SH OPTIONS", "Options of every command:"] + options(CommandSpecification.everywhere)
        lines +=
            [".PP", "Options of every command about one account:"] + options([CommandSpecification.account])
        lines +=
            [".SH EXIT STATUS"]
            + terms(
                [("0", "done")] + LocalFailure.Code.allCases.map { (String($0.rawValue), $0.meaning) })
        lines += [".PP"]
        lines += paragraphs([
            "Once `baton continue` has started a command, the exit status is that command's."
        ])
        lines += [".SH ENVIRONMENT"] + terms(ManualTexts.environment)
        lines += [".SH FILES"] + terms(ManualTexts.files)
        lines +=
            [".SH JSON"] + paragraphs(ManualTexts.json)
            + terms(ManualTexts.objects.map { ($0.name, $0.text) })
        lines += [
            ".SH SEE ALSO",
            "\\fBsystemctl\\fR(1), \\fBjournalctl\\fR(1), \\fBloginctl\\fR(1), \\fBxdg\\-open\\fR(1)",
        ]
        return lines
    }

    // MARK: Commands

    private func section(_ command: CommandSpecification) -> [String] {
        var lines = [
            ".SS \"\(Roff.escaped("baton " + command.name))\"", usage(command), ".PP",
            Roff.prose(command.summary),
        ]
        lines += options(command.options)
        lines += notes(command.notes)
        return lines
    }

    /// The usage of a command.
    ///
    /// Literal words are bold, and placeholders are in italics.
    private func usage(_ command: CommandSpecification) -> String {
        var words = ["\\fBbaton \(Roff.escaped(command.name))\\fR"]
        let operands = command.operands.map { operand in
            let name = "\\fI\(Roff.escaped(operand.name))\\fR"
            return (operand.isRequired ? name : "[\(name)]") + (operand.repeats ? "..." : "")
        }
        let options = command.options.map { "[\(form($0))]" + ($0.repeats ? "..." : "") }
        words += command.endsInOperands ? options + operands : operands + options
        return words.joined(separator: " ")
    }

    private func form(_ option: CommandSpecification.Option) -> String {
        "\\fB\(Roff.escaped("--" + option.name))\\fR"
            + (option.value.map { " \\fI\(Roff.escaped($0))\\fR" } ?? "")
    }

    private func options(_ options: [CommandSpecification.Option]) -> [String] {
        options.flatMap { [".TP", form($0), Roff.prose($0.summary)] }
    }

    /// Formats the notes of a command.
    ///
    /// Indented lines keep their line breaks, and other lines are filled.
    private func notes(_ notes: [String]) -> [String] {
        var (lines, isLiteral): ([String], Bool) = ([".PP"], false)
        for note in notes {
            let literal = note.hasPrefix("  ")
            if literal != isLiteral { lines += literal ? [".PP", ".nf"] : [".fi", ".PP"] }
            isLiteral = literal
            lines.append(literal ? Roff.line(note) : Roff.prose(note))
        }
        if isLiteral { lines.append(".fi") }
        return notes.isEmpty ? [] : lines
    }

    // MARK: Texts

    private func paragraphs(_ texts: [String]) -> [String] {
        Array(texts.map { [Roff.prose($0)] }.joined(separator: [".PP"]))
    }

    private func terms(_ terms: [(String, String)]) -> [String] {
        terms.flatMap { [".TP", "\\fB\(Roff.escaped($0.0))\\fR", Roff.prose($0.1)] }
    }
}
