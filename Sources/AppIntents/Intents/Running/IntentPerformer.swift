import LocalizedStrings

/// Performs intents: sets parameters, authenticates the person, calls `perform()`, and follows the result.
package struct IntentPerformer: Sendable {
    /// Asks the person; nil if nobody can be asked.
    package var prompter: (any IntentPrompter)?
    /// Authenticates the person; nil if nothing on the machine can.
    package var authenticator: (any IntentAuthenticator)?
    /// Whether the intent was guessed, for example from a phrase.
    package var isGuessed = false

    /// The most times that `perform()` begins again; more is a mistake of the app.
    private static let restartsMost = 32

    package init(prompter: (any IntentPrompter)? = nil, authenticator: (any IntentAuthenticator)? = nil) {
        (self.prompter, self.authenticator) = (prompter, authenticator)
    }

    /// The outcome of performing an intent and those that it opens.
    package struct Performance: Sendable {
        /// The value; nil if there is none.
        package var value: _IntentValueContent?
        /// The title of the value if it is an entity or a case.
        package var valueTitle: String?
        /// The dialogs that were shown, in order.
        package var dialogs: [String] = []
        /// The names of the intents that were performed, in order.
        package var intents: [String] = []
        /// Whether the app was brought to the front.
        package var isInForeground = false
    }

    /// Performs an intent with values for its parameters, then the intents that its result opens.
    package func perform(
        _ intent: any AppIntent, values: [String: _IntentValueContent] = [:]
    ) async throws -> Performance {
        var performance = Performance()
        var next: (any AppIntent)? = intent
        var values = values
        while let current = next {
            guard performance.intents.count < Self.restartsMost else {
                throw IntentPerformanceError.endless(name(of: current))
            }
            performance.intents.append(type(of: current).persistentIdentifier)
            next = try await performOne(current, values, &performance)
            values = [:]
        }
        return performance
    }

    /// Performs one intent; returns the intent that its result opens.
    private func performOne<Intent: AppIntent>(
        _ intent: Intent, _ values: [String: _IntentValueContent], _ performance: inout Performance
    ) async throws -> (any AppIntent)? {
        try await authenticate(Intent.self)
        try await AppDependencyManager.shared.awaitPending()
        let modes = Intent.supportedModes
        let run = IntentRun(
            intent, prompter: prompter, isGuessed: isGuessed, canForeground: modes.canContinueInForeground,
            startsInForeground: modes.contains(.foreground(.immediate)))
        let ended = try await IntentRun.$current.withValue(run) {
            try await assign(values, to: intent)
            try await fill(intent)
            // The person may have answered the questions hours later, and the session may be locked by now.
            if Intent.authenticationPolicy == .requiresAuthentication { try await authenticate(Intent.self) }
            return try await outcome(of: intent)
        }
        performance.isInForeground = performance.isInForeground || run.mode == .foreground
        if let value = ended.value {
            performance.value = value._content
            performance.valueTitle = _IntentChoice(value).title
        }
        if let dialog = ended.dialog {
            performance.dialogs.append(dialog.text)
            await prompter?.show(dialog.text)
        }
        return ended.next
    }

    /// Throws an error if the intent requires an authentication that the person does not have.
    private func authenticate<Intent: AppIntent>(_ type: Intent.Type) async throws {
        let title = String(localized: type.title)
        let policy = type.authenticationPolicy
        guard policy != .alwaysAllowed else { return }
        guard let authenticator else { throw IntentAuthenticationError.unavailable(intent: title) }
        switch policy {
        case .alwaysAllowed: break
        case .requiresAuthentication:
            guard try await authenticator.isSessionUnlocked(reason: title) else {
                throw IntentAuthenticationError.locked(intent: title)
            }
        case .requiresLocalDeviceAuthentication:
            guard try await authenticator.authenticate(reason: title) else {
                throw IntentAuthenticationError.refused(intent: title)
            }
        }
    }

    /// Gives parameters the values of the caller; throws if a value does not fit or a parameter is unknown.
    private func assign(_ values: [String: _IntentValueContent], to intent: any AppIntent) async throws {
        let parameters = IntentReflection.parameters(of: intent)
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let parameter = parameters.first(where: { $0.name == name })?.parameter else {
                throw IntentPerformanceError.unknownParameter(name, known: parameters.map(\.name))
            }
            do {
                try await parameter.set(value)
            } catch let error as IntentValueError {
                throw IntentParameterError(parameter: name, error)
            }
        }
    }

    /// Asks for the values of parameters that need one and have none.
    private func fill(_ intent: any AppIntent) async throws {
        for named in IntentReflection.parameters(of: intent) where named.parameter.content == nil {
            let parameter = named.parameter
            if prompter == nil, let standard = try await parameter.choices(for: nil)?.defaultValue {
                try await parameter.set(standard)
                continue
            }
            try await IntentRun.ask(parameter, dialog: nil)
        }
    }

    /// Calls `perform()` until it asks neither for a value nor for a restart.
    private func outcome<Intent: AppIntent>(of intent: Intent) async throws -> _IntentOutcome {
        for _ in 0..<Self.restartsMost {
            do {
                return try await intent.perform()._outcome
            } catch let need as IntentParameterNeed {
                try await need.satisfy()
            } catch let error as AppIntentError where error == .restartPerform {
                continue
            } catch let error as AppIntentError {
                guard case .needsToContinueInForeground(let dialog) = error.reason else { throw error }
                try await IntentRun.continueInForeground(dialog, confirms: true)
                return _IntentOutcome()
            }
        }
        throw IntentPerformanceError.endless(name(of: intent))
    }

    private func name(of intent: any AppIntent) -> String { type(of: intent).persistentIdentifier }
}
