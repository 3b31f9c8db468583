/// Asks the person on behalf of an intent: a terminal, or a script in tests.
package protocol IntentPrompter: Sendable {
    /// Returns the person's value for a parameter.
    func value(_ request: ValueRequest) async throws -> _IntentValueContent
    /// Returns whether the person agrees.
    func confirmation(_ request: ConfirmationRequest) async throws -> Bool
    /// Returns the index of the choice that the person made.
    func choice(_ request: ChoiceRequest) async throws -> Int
    /// Returns whether the person wants to continue in the app's window.
    func continuation(_ dialog: String?) async throws -> Bool
    /// Shows a dialog.
    func show(_ dialog: String) async
}
