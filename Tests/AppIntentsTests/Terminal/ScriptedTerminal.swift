import AppIntents
import BatonNetwork

/// A terminal at which a script answers; it notes what was asked and shown.
final class ScriptedTerminal: IntentTerminal {
    private struct State: Sendable {
        var answers: [String]
        var asked: [String] = []
        var offered: [[String]] = []
        var said: [String] = []
        var remarks: [String] = []
    }

    private let state: Monitor<State>

    /// Answers in this order: a line as it is, a choice by its title, an agreement by `yes`.
    init(_ answers: [String]) { state = Monitor(State(answers: answers)) }

    /// The questions, in order.
    var asked: [String] { state.change { $0.asked } }
    /// The titles of the lists, in order.
    var offered: [[String]] { state.change { $0.offered } }
    /// The texts of the intent.
    var said: [String] { state.change { $0.said } }
    /// The remarks about answers.
    var remarks: [String] { state.change { $0.remarks } }

    private func next(_ question: String) throws -> String {
        let answer = state.change { state -> String? in
            state.asked.append(question)
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        guard let answer else { throw IntentPromptError.declined }
        return answer
    }

    func line(_ question: String, hint: String) async throws -> String { try next(question) }

    func choose(_ question: String, among choices: [PromptChoice]) async throws -> Int {
        state.change { $0.offered.append(choices.map(\.title)) }
        let answer = try next(question)
        guard let index = choices.firstIndex(where: { $0.title == answer }) else {
            throw IntentPromptError.declined
        }
        return index
    }

    func confirm(_ question: String, accept: String, decline: String) async throws -> Bool {
        try next(question) == "yes"
    }

    func say(_ text: String) async { state.change { $0.said.append(text) } }

    func remark(_ text: String) async { state.change { $0.remarks.append(text) } }
}
