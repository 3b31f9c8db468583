/// The values that a person may choose for a parameter.
package struct PromptChoices: Sendable {
    /// A question above the values.
    package let prompt: String?
    /// The values.
    package let choices: [PromptChoice]
    /// The value that is used if the person chooses none.
    package let defaultValue: _IntentValueContent?

    /// Returns the choices whose values are among these.
    func limited(to values: [_IntentValueContent]) -> PromptChoices {
        PromptChoices(
            prompt: prompt, choices: choices.filter { values.contains($0.content) },
            defaultValue: defaultValue)
    }
}
