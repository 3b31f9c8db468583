/// A question for one of several answers.
package struct ChoiceRequest: Sendable {
    /// The question; nil if the intent says nothing.
    package let dialog: String?
    /// The title of the parameter that the answers are for; nil if they are for none.
    package let parameter: String?
    /// The answers.
    package let choices: [PromptChoice]
}
