import BatonClient
import BatonCore
import BatonNetwork
import BatonTerminal
import Glibc

/// The terminal of this process.
///
/// Questions that a line answers, and remarks, go to the standard error, so that the standard output has only what the
/// intent says and returns. A list is drawn on a screen of its own, which disappears with it.
struct RealTerminal: IntentTerminal {
    /// Whether texts may be bold and coloured.
    private let hasStyle: Bool
    /// Whether lists are shown on a screen of their own; otherwise their answers have numbers.
    private let hasScreen: Bool

    /// The time after which an escape byte counts as the Escape key.
    private static let escapeTime: Int32 = 50
    /// The time after which the size of the terminal is looked at again.
    private static let sizeTime: Int32 = 200

    /// Returns the terminal; nil if a standard stream is none, as in a pipe: then nobody is asked.
    static func ifPresent() -> RealTerminal? {
        guard [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].allSatisfy({ isatty($0) == 1 }) else { return nil }
        return RealTerminal(
            hasStyle: Terminal.hasStyle(STDERR_FILENO),
            hasScreen: RawTerminal.isThere { Environment.variable($0) })
    }

    private init(hasStyle: Bool, hasScreen: Bool) { (self.hasStyle, self.hasScreen) = (hasStyle, hasScreen) }

    // MARK: Lines

    func line(_ question: String, hint: String) async throws -> String {
        let prompt = MarkedText(VisibleText(question), .bold) + MarkedText(VisibleText(" (\(hint)) "), .dim)
        try write(prompt)
        guard let line = readLine() else {
            // The end of the input leaves the cursor behind the question.
            try Terminal.write("\n", to: STDERR_FILENO)
            throw IntentPromptError.declined
        }
        return line
    }

    func confirm(_ question: String, accept: String, decline: String) async throws -> Bool {
        let words = VisibleText(" [y: \(accept), N: \(decline)] ")
        try write(MarkedText(VisibleText(question), .bold) + MarkedText(words, .dim))
        guard let answer = readLine() else {
            try Terminal.write("\n", to: STDERR_FILENO)
            return false
        }
        return Self.isAgreement(answer, accept: accept)
    }

    func say(_ text: String) async { show(VisibleText(text), on: STDOUT_FILENO) }

    func remark(_ text: String) async {
        show(MarkedText(VisibleText(text), .remark).shown(isStyled: hasStyle), on: STDERR_FILENO)
    }

    private func show(_ text: VisibleText, on descriptor: Int32) {
        let width = Terminal.size(of: descriptor)?.width
        let lines = width.map { text.wrapped(to: $0) } ?? [text]
        do throws(LocalFailure) {
            try Terminal.write(lines.map { $0.text + "\n" }.joined(), to: descriptor)
        } catch {
            // The intent goes on without its dialog; the output that follows fails, too, and is reported.
        }
    }

    private func write(_ text: MarkedText) throws(LocalFailure) {
        try Terminal.write(text.shown(isStyled: hasStyle).text, to: STDERR_FILENO)
    }

    // MARK: Lists

    func choose(_ question: String, among choices: [PromptChoice]) async throws -> Int {
        guard !choices.isEmpty else { throw IntentPromptError.nothingToChoose }
        return hasScreen ? try chooseOnScreen(question, choices) : try chooseByNumber(question, choices)
    }

    /// Lets the person choose in a list on a screen of its own.
    private func chooseOnScreen(_ question: String, _ choices: [PromptChoice]) throws -> Int {
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
            for key in try next(&keys, terminal) {
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
                case .leave: throw IntentPromptError.declined
                }
            }
        }
    }

    /// Waits for keys, or for a moment in which the size of the terminal may change.
    private func next(_ keys: inout KeyReader, _ terminal: borrowing RawTerminal) throws -> [Key] {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        let count = poll(&input, 1, keys.isInEscape ? Self.escapeTime : Self.sizeTime)
        guard count > 0 else { return keys.isInEscape ? keys.handleSilence() : [] }
        let bytes = terminal.read()
        guard !bytes.isEmpty else { throw IntentPromptError.declined }
        return keys.decodeBytes(bytes)
    }

    /// Lets the person type the number of an answer, at a terminal without a screen.
    private func chooseByNumber(_ question: String, _ choices: [PromptChoice]) throws -> Int {
        for (place, choice) in choices.enumerated() {
            show(VisibleText("\(place + 1). \(choice.title)"), on: STDERR_FILENO)
        }
        while true {
            try write(MarkedText(VisibleText("\(question) [1-\(choices.count)] "), .bold))
            guard let answer = readLine(), !answer.isEmpty else { throw IntentPromptError.declined }
            if let number = Int(answer), choices.indices.contains(number - 1) { return number - 1 }
            show("Type a number from 1 to \(choices.count).", on: STDERR_FILENO)
        }
    }
}
