import AppIntents
import BatonNetwork

/// Answers questions in the order of a script, and notes what was asked.
final class ScriptedPrompter: IntentPrompter {
    /// An answer of the script.
    enum Answer: Sendable {
        case value(_IntentValueContent)
        case agree
        case decline
        case choose(Int)
    }

    private struct State: Sendable {
        var answers: [Answer]
        var questions: [String] = []
        var dialogs: [String] = []
    }

    private let state: Monitor<State>

    init(_ answers: [Answer]) { state = Monitor(State(answers: answers)) }

    /// The questions, in order.
    var questions: [String] { state.change { $0.questions } }
    /// The dialogs that were shown, in order.
    var dialogs: [String] { state.change { $0.dialogs } }

    /// Notes a question, and returns the next answer; throws if the script has ended.
    private func next(_ question: String) throws -> Answer {
        let answer = state.change { state -> Answer? in
            state.questions.append(question)
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        guard let answer else { throw IntentPromptError.nobodyToAsk(question) }
        return answer
    }

    func value(_ request: ValueRequest) async throws -> _IntentValueContent {
        guard case .value(let content) = try next(request.dialog) else { throw IntentPromptError.declined }
        return content
    }

    func confirmation(_ request: ConfirmationRequest) async throws -> Bool {
        if case .agree = try next(request.dialog ?? "") { true } else { false }
    }

    func choice(_ request: ChoiceRequest) async throws -> Int {
        guard case .choose(let index) = try next(request.dialog ?? "") else {
            throw IntentPromptError.declined
        }
        return index
    }

    func continuation(_ dialog: String?) async throws -> Bool {
        if case .agree = try next(dialog ?? "") { true } else { false }
    }

    func show(_ dialog: String) async { state.change { $0.dialogs.append(dialog) } }
}
