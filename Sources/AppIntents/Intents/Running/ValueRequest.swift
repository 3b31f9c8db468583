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
    /// The codes of the currencies that the parameter allows; empty if all are.
    package let currencies: [String]
    /// Gives the parameter a value; throws an `IntentValueError` if the value does not fit, so that the person is asked
    /// again.
    package let accept: @Sendable (_IntentValueContent) async throws -> Void
}
