import BatonTerminal

/// The terminal of this process.
struct RealTerminal: IntentTerminal {
    private let prompt: TerminalPrompt

    /// Returns the terminal; nil if a standard stream is none, as in a pipe: then nobody is asked.
    static func ifPresent() -> RealTerminal? { TerminalPrompt.ifPresent().map { RealTerminal(prompt: $0) } }

    func line(_ question: String, hint: String) async throws -> String {
        guard let line = try prompt.line(question, hint: hint) else { throw IntentPromptError.declined }
        return line
    }

    func choose(_ question: String, among choices: [PromptChoice]) async throws -> Int {
        guard !choices.isEmpty else { throw IntentPromptError.nothingToChoose }
        let shown = choices.map {
            ChoiceScreen.Choice(
                $0.title, subtitle: $0.subtitle, section: $0.section, synonyms: $0.synonyms)
        }
        guard let index = try prompt.choose(question, among: shown) else { throw IntentPromptError.declined }
        return index
    }

    func confirm(_ question: String, accept: String, decline: String) async throws -> Bool {
        try prompt.confirm(question, accept: accept, decline: decline)
    }

    func say(_ text: String) async { prompt.say(text) }

    func remark(_ text: String) async { prompt.remark(text) }
}
