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

/// A question for an agreement.
package struct ConfirmationRequest: Sendable {
    /// The question; nil if the intent says nothing.
    package let dialog: String?
    /// The words for accepting and declining.
    package let action: ConfirmationActionName

    package init(dialog: String?, action: ConfirmationActionName) {
        (self.dialog, self.action) = (dialog, action)
    }
}

/// A question for one of several answers.
package struct ChoiceRequest: Sendable {
    /// The question; nil if the intent says nothing.
    package let dialog: String?
    /// The title of the parameter that the answers are for; nil if they are for none.
    package let parameter: String?
    /// The answers.
    package let choices: [PromptChoice]
}

/// An answer in a list.
package struct PromptChoice: Sendable {
    /// The title.
    package let title: String
    /// The line below the title.
    package let subtitle: String?
    /// The title of the section with the answer.
    package var section: String?
    /// Other words for the answer.
    package var synonyms: [String] = []
    /// The value; none for an answer that is no value.
    package var content = _IntentValueContent.none

    package init(title: String, subtitle: String?) { (self.title, self.subtitle) = (title, subtitle) }

    /// Creates the answer for a value.
    package init(_ value: any _IntentValue) { self.init(_IntentChoice(value)) }

    init(_ choice: _IntentChoice) {
        self.init(title: choice.title, subtitle: choice.subtitle)
        (section, synonyms, content) = (choice.section, choice.synonyms, choice.value._content)
    }
}

/// The values that a person may choose for a parameter.
package struct PromptChoices: Sendable {
    /// A question above the values.
    package let prompt: String?
    /// The values.
    package let choices: [PromptChoice]
    /// The value that is used if the person chooses none.
    package let defaultValue: _IntentValueContent?
}

/// A question to the person without a result.
package enum IntentPromptError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Nobody can be asked, for example in a pipe.
    case nobodyToAsk(String)
    /// The person declined.
    case declined
    /// The list of answers is empty.
    case nothingToChoose

    /// What happened, and what to do.
    package var description: String {
        switch self {
        case .nobodyToAsk(let question): "The intent asks “\(question)”. Run it in a terminal."
        case .declined: "Cancelled."
        case .nothingToChoose: "There is nothing to choose from."
        }
    }
}
