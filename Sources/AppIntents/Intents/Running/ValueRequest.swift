/// A question for the value of a parameter.
package struct ValueRequest: Sendable {
    /// The question.
    package let dialog: String
    /// The name of the parameter in the source.
    package let parameter: String
    /// The kind of value.
    package let form: _IntentValueForm
    /// The values that may be chosen; nil if any value will do.
    package let choices: PromptChoices?
}
