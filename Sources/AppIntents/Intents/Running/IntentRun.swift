import BatonNetwork
import Foundation
import LocalizedStrings

/// An intent that is being performed, with those whom it may ask.
///
/// It is a task-local value, so that parameters, queries and dependencies find it without being given it.
package final class IntentRun: Sendable {
    /// The intent that is performed by the current task.
    @TaskLocal package static var current: IntentRun?

    /// The intent.
    package let intent: any AppIntent
    /// Asks the person; nil if nobody can be asked.
    package let prompter: (any IntentPrompter)?
    /// Whether the intent was guessed, for example from a phrase.
    package let isGuessed: Bool
    /// Whether the intent may bring the app to the front.
    package let canForeground: Bool
    /// The time at which the intent was requested.
    package let date: Date
    /// The progress of the intent, if it reports any.
    package let progress: IntentProgress
    private let foreground: Monitor<Bool>

    package init(
        _ intent: any AppIntent, prompter: (any IntentPrompter)?, isGuessed: Bool, canForeground: Bool,
        startsInForeground: Bool, date: Date = Date()
    ) {
        (self.intent, self.prompter, self.isGuessed) = (intent, prompter, isGuessed)
        (self.canForeground, self.date) = (canForeground, date)
        (foreground, progress) = (Monitor(startsInForeground), IntentProgress())
    }

    /// The mode in which the intent is performed now.
    package var mode: IntentModes.Current { foreground.change { $0 } ? .foreground : .background }

    // MARK: Asking

    /// Asks for the value of a parameter, and gives it to the parameter.
    static func ask(_ parameter: any AnyIntentParameter, dialog: String?) async throws {
        let run = current
        let name = run.flatMap { IntentReflection.name(of: parameter, in: $0.intent) }
        let title = parameter.details.titleText
        guard let prompter = run?.prompter else {
            throw IntentValueError.missing(parameter: name ?? title)
        }
        let isAccepted = Monitor(false)
        let request = ValueRequest(
            dialog: dialog ?? parameter.details.request?.text
                ?? "\(title.isEmpty ? name ?? "Value" : title)?",
            parameter: name ?? title, form: parameter.form, choices: try await parameter.choices(for: nil),
            currencies: parameter.details.currencies,
            accept: { content in
                try await parameter.set(content)
                isAccepted.change { $0 = true }
            })
        let content = try await prompter.value(request)
        // The app's query is not asked twice for the same value.
        if !isAccepted.change({ $0 }) { try await parameter.set(content) }
    }

    /// Asks for an agreement; throws if the person declines.
    static func confirm(_ request: ConfirmationRequest) async throws {
        guard try await confirms(request) else { throw IntentPromptError.declined }
    }

    /// Asks for an agreement.
    static func confirms(_ request: ConfirmationRequest) async throws -> Bool {
        guard let prompter = current?.prompter else {
            throw IntentPromptError.nobodyToAsk(
                request.dialog ?? String(localized: request.action.acceptLabel))
        }
        return try await prompter.confirmation(request)
    }

    /// Asks for one of several answers.
    static func choose(_ request: ChoiceRequest) async throws -> Int {
        guard let prompter = current?.prompter else {
            throw IntentPromptError.nobodyToAsk(request.dialog ?? request.parameter ?? "Choose")
        }
        let index = try await prompter.choice(request)
        precondition(
            request.choices.indices.contains(index), "a prompter returned a choice that was not offered")
        return index
    }

    /// Brings the app to the front; throws if the person declines or the intent may not.
    static func continueInForeground(_ dialog: String?, confirms: Bool) async throws {
        guard let run = current, run.canForeground else {
            throw IntentPromptError.nobodyToAsk(dialog ?? "Continue in the app?")
        }
        if confirms {
            guard let prompter = run.prompter else {
                throw IntentPromptError.nobodyToAsk(dialog ?? "Continue in the app?")
            }
            guard try await prompter.continuation(dialog) else { throw IntentPromptError.declined }
        }
        run.foreground.change { $0 = true }
    }
}
