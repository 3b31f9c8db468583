public import LocalizedStrings

/// The description of an intent, for lists of intents.
public struct IntentDescription: Equatable, Sendable {
    /// The description.
    public let descriptionText: LocalizedStringResource
    /// The title of the group in which the intent is listed.
    public let categoryName: LocalizedStringResource?
    /// Words by which people find the intent.
    public let searchKeywords: [LocalizedStringResource]
    /// The name of what the intent returns.
    public let resultValueName: LocalizedStringResource?

    /// Creates a description.
    public init(
        _ description: LocalizedStringResource, categoryName: LocalizedStringResource? = nil,
        searchKeywords: [LocalizedStringResource] = [], resultValueName: LocalizedStringResource? = nil
    ) {
        (descriptionText, self.categoryName) = (description, categoryName)
        (self.searchKeywords, self.resultValueName) = (searchKeywords, resultValueName)
    }
}

extension IntentDescription: ExpressibleByStringInterpolation {
    /// Creates a description.
    public init(stringLiteral value: String) { self.init(LocalizedStringResource(stringLiteral: value)) }

    /// Creates a description with values in it.
    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
        self.init(LocalizedStringResource(stringInterpolation: stringInterpolation))
    }
}

extension IntentDescription: _OptionalIntentDescription {
    /// The description itself.
    public var _description: IntentDescription? { self }
}

extension Optional: _OptionalIntentDescription where Wrapped == IntentDescription {
    /// The description itself.
    public var _description: IntentDescription? { self }
}
