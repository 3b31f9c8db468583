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
    /// The value; `none` for an answer without a value.
    package var content = _IntentValueContent.none

    package init(title: String, subtitle: String?) { (self.title, self.subtitle) = (title, subtitle) }

    /// Creates the answer for a value.
    package init(_ value: any _IntentValue) { self.init(_IntentChoice(value)) }

    init(_ choice: _IntentChoice) {
        self.init(title: choice.title, subtitle: choice.subtitle)
        (section, synonyms, content) = (choice.section, choice.synonyms, choice.value._content)
    }
}
