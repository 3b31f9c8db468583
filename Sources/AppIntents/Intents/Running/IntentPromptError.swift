/// A question to the person without a result.
package enum IntentPromptError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Nobody can be asked, for example in a pipe.
    case nobodyToAsk(String)
    /// The person declined.
    case declined
    /// The list of answers is empty.
    case nothingToChoose

    /// The error in words, with a way out.
    package var description: String {
        switch self {
        case .nobodyToAsk(let question): "The intent asks “\(question)”. Run it in a terminal."
        case .declined: "Cancelled."
        case .nothingToChoose: "There is nothing to choose from."
        }
    }
}
