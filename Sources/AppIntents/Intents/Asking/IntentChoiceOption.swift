public import LocalizedStrings

/// An answer among which a person chooses.
public struct IntentChoiceOption: Sendable {
    /// The kind of an answer.
    public enum Style: Hashable, Sendable {
        /// An answer like others.
        case `default`
        /// An answer that deletes something.
        case destructive
        /// The answer that ends the intent.
        case cancel
    }

    /// The text of the answer.
    public let title: LocalizedStringResource
    /// The kind of answer.
    public let style: Style

    /// Creates an answer.
    public init(title: LocalizedStringResource, style: Style = .default) {
        (self.title, self.style) = (title, style)
    }

    /// The answer that ends the intent.
    public static let cancel = IntentChoiceOption(title: "Cancel", style: .cancel)

    /// Returns an answer that ends the intent, with a text of its own.
    public static func cancel(title: LocalizedStringResource) -> IntentChoiceOption {
        IntentChoiceOption(title: title, style: .cancel)
    }
}

extension IntentChoiceOption: Equatable {
    /// Compares text and kind.
    public static func == (one: IntentChoiceOption, other: IntentChoiceOption) -> Bool {
        one.title == other.title && one.style == other.style
    }
}
