import BatonClient
import BatonCore
import Foundation
import LocalizedStrings

/// Turns an error of an intent into words for a person and an exit status of `baton`.
struct IntentFailure {
    /// The name of the app's program, for advice.
    let program: String

    /// Returns the failure for an error.
    ///
    /// Its words may have come from another machine, with a title. A line break in them would begin a line of its own,
    /// which reads like advice of the command, so they are made visible.
    func failure(of error: any Error) -> LocalFailure {
        // The failures of Baton itself have such lines on purpose.
        if let failure = error as? LocalFailure { return failure }
        let failure = rawFailure(of: error)
        return LocalFailure(failure.code, VisibleText(failure.text).text)
    }

    private func rawFailure(of error: any Error) -> LocalFailure {
        switch error {
        case let error as IntentParameterError: failure(of: error)
        case let error as IntentValueError: failure(of: error, parameter: nil)
        case let error as IntentPerformanceError: failure(of: error)
        case let error as IntentAuthenticationError: LocalFailure(.notAllowed, error.description)
        case let error as SystemAuthenticationError: LocalFailure(.notAllowed, error.description)
        case let error as IntentPromptError:
            if case .nobodyToAsk = error {
                LocalFailure(.usage, error.description)
            } else {
                LocalFailure(.failed, error.description)
            }
        case let error as AppIntentError: failure(of: error)
        case is CancellationError: LocalFailure(.failed, "Cancelled.")
        default: LocalFailure(.failed, "The intent failed: \(Self.words(of: error))")
        }
    }

    // MARK: Values

    private func failure(of error: IntentParameterError) -> LocalFailure {
        failure(of: error.error, parameter: error.parameter)
    }

    private func failure(of error: IntentValueError, parameter: String?) -> LocalFailure {
        let place = parameter.map { "--\($0): " } ?? ""
        let code: LocalFailure.Code =
            switch error {
            case .noEntity, .severalEntities: .notFound
            default: .usage
            }
        return LocalFailure(code, place + error.description + advice(error))
    }

    /// Returns a sentence on what to do, where the error does not say it.
    private func advice(_ error: IntentValueError) -> String {
        switch error {
        case .noEntity(let type, _):
            " It may have been deleted. Give the title or the identifier of another \(type), or leave the option out in a terminal to choose one."
        case .wrongKind(let expected, _) where expected == _IntentValueForm.date.name:
            " Write it as 2026-03-01, 2026-03-01 14:30 or tomorrow."
        case .wrongKind(let expected, _) where expected == _IntentValueForm.money.name:
            " Write it as 12.50 EUR."
        case .wrongKind(let expected, _) where expected == _IntentValueForm.measurement.name:
            " Write a number and a unit, such as 3.5 km."
        case .wrongKind(let expected, _) where expected == _IntentValueForm.url.name:
            " Write the whole address, such as https://example.org/."
        case .missing: " In a terminal you would be asked for it."
        default: ""
        }
    }

    // MARK: Other errors

    private func failure(of error: IntentPerformanceError) -> LocalFailure {
        switch error {
        case .unknownParameter: LocalFailure(.usage, error.description)
        case .endless: LocalFailure(.failed, error.description)
        }
    }

    private func failure(of error: AppIntentError) -> LocalFailure {
        let words = error.errorDescription ?? "The intent failed."
        return switch error.reason {
        case .unrecoverable(.entityNotFound): LocalFailure(.notFound, words)
        case .unrecoverable(.notAllowed), .permission: LocalFailure(.notAllowed, words)
        case .needsToContinueInForeground:
            LocalFailure(.failed, "\(words) The intent needs the window of the app: start \(program) first.")
        default: LocalFailure(.failed, words)
        }
    }

    /// Returns an error of the app in words: those that the app gives for people, if it gives any.
    private static func words(of error: any Error) -> String {
        if let error = error as? any CustomLocalizedStringResourceConvertible {
            return String(localized: error.localizedStringResource)
        }
        if let error = error as? any LocalizedError, let words = error.errorDescription {
            return [words, error.recoverySuggestion].compactMap { $0 }.joined(separator: " ")
        }
        return String(describing: error)
    }
}
