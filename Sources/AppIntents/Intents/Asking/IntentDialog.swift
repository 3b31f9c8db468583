public import LocalizedStrings

/// A text that an intent says to the person.
public struct IntentDialog: Equatable, Sendable {
    /// The text that is said where nothing is shown.
    public let full: LocalizedStringResource
    /// The shorter text that is said beside something that is shown.
    public let supporting: LocalizedStringResource?
    /// The name of a symbol beside the text.
    public let systemImageName: String?

    /// Creates a dialog.
    public init(_ dialog: LocalizedStringResource) {
        (full, supporting, systemImageName) = (dialog, nil, nil)
    }

    /// Creates a dialog with a shorter form.
    public init(full: LocalizedStringResource, supporting: LocalizedStringResource) {
        (self.full, self.supporting, systemImageName) = (full, supporting, nil)
    }

    /// Creates a dialog with a shorter form and a symbol.
    public init(
        full: LocalizedStringResource, supporting: LocalizedStringResource, systemImageName: String
    ) { (self.full, self.supporting, self.systemImageName) = (full, supporting, systemImageName) }

    /// Creates a dialog with a symbol.
    public init(full: LocalizedStringResource, systemImageName: String) {
        (self.full, supporting, self.systemImageName) = (full, nil, systemImageName)
    }

    /// The text in the person's language.
    package var text: String { String(localized: full) }
}

extension IntentDialog: ExpressibleByStringInterpolation {
    /// Creates a dialog.
    public init(stringLiteral value: String) { self.init(LocalizedStringResource(stringLiteral: value)) }

    /// Creates a dialog with values in it.
    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
        self.init(LocalizedStringResource(stringInterpolation: stringInterpolation))
    }
}
