import LocalizedStrings

extension AppIntent {
    /// Asks the person to confirm; throws if they decline or can't be asked.
    public func requestConfirmation() async throws {
        try await IntentRun.confirm(ConfirmationRequest(dialog: nil, action: .continue))
    }

    /// Asks the person to confirm an action; throws if they decline or can't be asked.
    ///
    /// With `.lowConfidenceSource` the person is asked only if the intent was guessed and not named.
    public func requestConfirmation(
        conditions: ConfirmationConditions = [], actionName: ConfirmationActionName = .continue,
        dialog: IntentDialog
    ) async throws {
        if conditions.contains(.lowConfidenceSource), !(IntentRun.current?.isGuessed ?? false) { return }
        try await IntentRun.confirm(ConfirmationRequest(dialog: dialog.text, action: actionName))
    }

    /// Asks the person to confirm an action; other content that Apple's systems show is left out.
    public func requestConfirmation<Content>(
        conditions: ConfirmationConditions = [], actionName: ConfirmationActionName = .continue,
        dialog: IntentDialog? = nil, showDialogAsPrompt: Bool = true, content: () -> Content
    ) async throws {
        if conditions.contains(.lowConfidenceSource), !(IntentRun.current?.isGuessed ?? false) { return }
        try await IntentRun.confirm(ConfirmationRequest(dialog: dialog?.text, action: actionName))
    }

    /// Asks the person to confirm an action; the snippet is left out.
    public func requestConfirmation<Snippet: SnippetIntent>(
        conditions: ConfirmationConditions = [], actionName: ConfirmationActionName = .continue,
        dialog: IntentDialog? = nil, showDialogAsPrompt: Bool = true, snippetIntent: Snippet
    ) async throws {
        if conditions.contains(.lowConfidenceSource), !(IntentRun.current?.isGuessed ?? false) { return }
        try await IntentRun.confirm(ConfirmationRequest(dialog: dialog?.text, action: actionName))
    }

    /// Asks the person to confirm with the dialog of a result; throws if they decline or can't be asked.
    public func requestConfirmation<Result: IntentResult>(
        result: Result, confirmationActionName: ConfirmationActionName = .continue, showPrompt: Bool = true
    ) async throws {
        try await IntentRun.confirm(
            ConfirmationRequest(dialog: result._outcome.dialog?.text, action: confirmationActionName))
    }

    /// Asks the person to choose one of several answers.
    public func requestChoice(
        between options: [IntentChoiceOption], dialog: IntentDialog? = nil
    ) async throws -> IntentChoiceOption {
        guard !options.isEmpty else { throw IntentPromptError.nothingToChoose }
        let request = ChoiceRequest(
            dialog: dialog?.text, parameter: nil,
            choices: options.map { PromptChoice(title: String(localized: $0.title), subtitle: nil) })
        let index = try await IntentRun.choose(request)
        let option = options[index]
        if option.style == .cancel { throw IntentPromptError.declined }
        return option
    }

    /// Asks the person to choose one of several answers; other content that Apple's systems show is left out.
    public func requestChoice<Content>(
        between options: [IntentChoiceOption], dialog: IntentDialog? = nil, content: () -> Content
    ) async throws -> IntentChoiceOption { try await requestChoice(between: options, dialog: dialog) }

    /// Asks the person to choose one of several answers; other content that Apple's systems show is left out.
    @_disfavoredOverload
    public func requestChoice<Content>(
        between options: [IntentChoiceOption], dialog: IntentDialog? = nil, view: Content
    ) async throws -> IntentChoiceOption { try await requestChoice(between: options, dialog: dialog) }

    /// Brings the app to the front and continues there; throws if the person declines.
    public func continueInForeground(
        _ dialog: IntentDialog? = nil, alwaysConfirm: Bool = true
    ) async throws {
        try await IntentRun.continueInForeground(dialog?.text, confirms: alwaysConfirm)
    }

    /// Returns an error that ends the intent and brings the app to the front.
    public func needsToContinueInForegroundError(
        _ dialog: IntentDialog? = nil, alwaysConfirm: Bool = true
    ) -> AppIntentError { .needsToContinueInForeground(dialog?.text) }
}
