/// The words for the two values of a parameter of type `Bool`.
public struct BoolDisplayName: Hashable, Sendable {
    /// The word for true.
    let truth: String
    /// The word for false.
    let falsehood: String

    /// “true” and “false”.
    public static let `true` = BoolDisplayName(truth: "true", falsehood: "false")
    /// “yes” and “no”.
    public static let yesNo = BoolDisplayName(truth: "yes", falsehood: "no")
    /// “on” and “off”.
    public static let onOff = BoolDisplayName(truth: "on", falsehood: "off")

    /// The two words as a choice.
    var choices: PromptChoices {
        PromptChoices(
            prompt: nil,
            choices: [(truth, true), (falsehood, false)].map { word, value in
                var choice = PromptChoice(title: word, subtitle: nil)
                choice.content = .flag(value)
                return choice
            }, defaultValue: nil)
    }
}
