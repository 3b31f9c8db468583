public import LocalizedStrings

/// The words for the two values of a parameter of type `Bool`.
public struct BoolDisplayName: Equatable, Sendable {
    /// The word for true.
    let truth: LocalizedStringResource
    /// The word for false.
    let falsehood: LocalizedStringResource

    /// Creates a pair of words.
    public init(true truth: LocalizedStringResource, false falsehood: LocalizedStringResource) {
        (self.truth, self.falsehood) = (truth, falsehood)
    }

    /// “true” and “false”.
    public static let `true` = BoolDisplayName(true: "true", false: "false")
    /// “yes” and “no”.
    public static let yesNo = BoolDisplayName(true: "yes", false: "no")
    /// “on” and “off”.
    public static let onOff = BoolDisplayName(true: "on", false: "off")

    /// The two words as a choice.
    var choices: PromptChoices {
        PromptChoices(
            prompt: nil,
            choices: [(truth, true), (falsehood, false)].map { word, value in
                var choice = PromptChoice(title: String(localized: word), subtitle: nil)
                choice.content = .flag(value)
                return choice
            }, defaultValue: nil)
    }
}
