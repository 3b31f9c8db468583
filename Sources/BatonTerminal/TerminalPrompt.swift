import BatonClient
package import BatonCore
import BatonNetwork
import Glibc

/// Asks a person questions at the terminal of this process.
///
/// Questions that a line answers, and remarks, go to the standard error, so that the standard output has only the results
/// of a command. A list is drawn on a screen of its own, which disappears with it.
package struct TerminalPrompt: Sendable {
    /// Whether texts may be bold and coloured.
    private let hasStyle: Bool
    /// Whether lists are shown on a screen of their own; otherwise their answers have numbers.
    private let hasScreen: Bool

    /// The time after which an escape byte counts as the Escape key.
    private static let escapeTime: Int32 = 50
    /// The time after which the size of the terminal is looked at again.
    private static let sizeTime: Int32 = 200

    /// Returns the prompt; nil if a standard stream is no terminal, as in a pipe: then nobody is asked.
    package static func ifPresent() -> TerminalPrompt? {
        guard [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].allSatisfy({ isatty($0) == 1 }) else { return nil }
        return TerminalPrompt(
            hasStyle: Terminal.hasStyle(STDERR_FILENO),
            hasScreen: RawTerminal.isThere { Environment.variable($0) })
    }

    private init(hasStyle: Bool, hasScreen: Bool) { (self.hasStyle, self.hasScreen) = (hasStyle, hasScreen) }

    // MARK: Lines

    /// Asks for a line; returns nil if the person ends the input instead.
    package func line(_ question: String, hint: String) throws(LocalFailure) -> String? {
        let prompt = MarkedText(VisibleText(question), .bold) + MarkedText(VisibleText(" (\(hint)) "), .dim)
        try write(prompt)
        guard let line = readLine() else {
            // The end of the input leaves the cursor behind the question.
            try Terminal.write("\n", to: STDERR_FILENO)
            return nil
        }
        return line
    }

    /// Asks for an agreement, with the words for accepting and declining.
    package func confirm(
        _ question: String, accept: String, decline: String
    ) throws(LocalFailure) -> Bool {
        let words = VisibleText(" [y: \(accept), N: \(decline)] ")
        try write(MarkedText(VisibleText(question), .bold) + MarkedText(words, .dim))
        guard let answer = readLine() else {
            try Terminal.write("\n", to: STDERR_FILENO)
            return false
        }
        return Self.isAgreement(answer, accept: accept)
    }

    /// Returns whether an answer agrees: `y`, `yes`, or the word for accepting.
    package static func isAgreement(_ answer: String, accept: String) -> Bool {
        // Enter alone declines, also where the caller has given no word.
        let answer = answer.lowercased()
        return !answer.isEmpty && ["y", "yes", accept.lowercased()].contains(answer)
    }

    /// Shows a text as output.
    package func say(_ text: String) { show(VisibleText(text), on: STDOUT_FILENO) }

    /// Shows a remark about an answer.
    package func remark(_ text: String) {
        show(MarkedText(VisibleText(text), .remark).shown(isStyled: hasStyle), on: STDERR_FILENO)
    }

    private func show(_ text: VisibleText, on descriptor: Int32) {
        let width = Terminal.size(of: descriptor)?.width
        let lines = width.map { text.wrapped(to: $0) } ?? [text]
        do throws(LocalFailure) {
            try Terminal.write(lines.map { $0.text + "\n" }.joined(), to: descriptor)
        } catch {
            // The command goes on without this text; the output that follows fails, too, and is reported.
        }
    }

    private func write(_ text: MarkedText) throws(LocalFailure) {
        try Terminal.write(text.shown(isStyled: hasStyle).text, to: STDERR_FILENO)
    }

    // MARK: Lists

    /// Asks for one of several answers; returns its index, or nil if the person leaves.
    package func choose(
        _ question: String, among choices: [ChoiceScreen.Choice]
    ) throws(LocalFailure) -> Int? {
        hasScreen ? try chooseOnScreen(question, choices) : try chooseByNumber(question, choices)
    }

    /// Lets the person choose in a list on a screen of its own.
    private func chooseOnScreen(
        _ question: String, _ choices: [ChoiceScreen.Choice]
    ) throws(LocalFailure) -> Int? {
        var screen = ChoiceScreen(question, choices)
        var keys = KeyReader()
        // It is made before the terminal is taken, and released after the terminal was given back.
        let signals = try ScreenGuard()
        var terminal = try RawTerminal()
        // The size of the terminal for which the list was drawn; nil if something has changed since.
        var drawn: (width: Int, height: Int)?
        while true {
            if signals.takeContinuation() {
                // Another process may have changed the terminal's settings meanwhile.
                try terminal.makeRaw()
                drawn = nil
            }
            let size = terminal.size
            if drawn.map({ $0 != size }) ?? true {
                let (lines, cursor) = screen.screen(width: size.width, height: size.height)
                try terminal.draw(lines, isStyled: hasStyle, cursor: (0, cursor))
                drawn = size
            }
            guard let pressed = next(&keys, terminal) else { return nil }
            for key in pressed {
                drawn = nil
                let step: ChoiceScreen.Step
                switch key {
                case .click(let line, let cell):
                    step = screen.click(line: line, cell: cell, width: size.width, height: size.height)
                case .suspend:
                    try terminal.leave()
                    raise(SIGTSTP)
                    try terminal.enter()
                    step = .stay
                default: step = screen.press(key)
                }
                switch step {
                case .stay: continue
                case .choose(let index): return index
                case .leave: return nil
                }
            }
        }
    }

    /// Waits for keys, or for a moment in which the size of the terminal may change; returns nil at the end of the input.
    private func next(_ keys: inout KeyReader, _ terminal: borrowing RawTerminal) -> [Key]? {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        let count = poll(&input, 1, keys.isInEscape ? Self.escapeTime : Self.sizeTime)
        guard count > 0 else { return keys.isInEscape ? keys.handleSilence() : [] }
        let bytes = terminal.read()
        return bytes.isEmpty ? nil : keys.decodeBytes(bytes)
    }

    /// Lets the person type the number of an answer, at a terminal without a screen; an empty line leaves.
    private func chooseByNumber(
        _ question: String, _ choices: [ChoiceScreen.Choice]
    ) throws(LocalFailure) -> Int? {
        for (place, choice) in choices.enumerated() {
            show(VisibleText("\(place + 1). \(choice.title)"), on: STDERR_FILENO)
        }
        while true {
            try write(MarkedText(VisibleText("\(question) [1-\(choices.count)] "), .bold))
            guard let answer = readLine(), !answer.isEmpty else { return nil }
            if let number = Int(answer), choices.indices.contains(number - 1) { return number - 1 }
            show("Type a number from 1 to \(choices.count).", on: STDERR_FILENO)
        }
    }
}
