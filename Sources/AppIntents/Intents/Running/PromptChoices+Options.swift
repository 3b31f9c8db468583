extension DynamicOptionsProvider {
    /// Returns the values as a terminal offers them; a query that searches gets the text.
    package func choices(for text: String?) async throws -> PromptChoices {
        if let text, let query = self as? any EntityStringQuery {
            let found = try await query.matches(text)
            return PromptChoices(prompt: nil, choices: found.map { PromptChoice($0) }, defaultValue: nil)
        }
        let offered = try await results()
        let standard = await defaultResult()
        return PromptChoices(
            prompt: offered.promptLabel.map { String(localized: $0) },
            choices: offered._choices.map { PromptChoice($0) },
            defaultValue: standard?._content)
    }
}

extension _IntentValueForm {
    /// Returns the values of an enumeration or of an entity's query; nil for other kinds.
    package func choices(for text: String?) async throws -> PromptChoices? {
        switch self {
        case .optional(let form), .list(let form): return try await form.choices(for: text)
        case .choice(let type):
            return PromptChoices(prompt: nil, choices: type.caseChoices, defaultValue: nil)
        case .entity(let type): return try await type.queryChoices(for: text)
        default: return nil
        }
    }
}

extension AppEnum {
    fileprivate static var caseChoices: [PromptChoice] { orderedCases.map { PromptChoice($0) } }
}

extension AppEntity {
    fileprivate static func queryChoices(for text: String?) async throws -> PromptChoices {
        try await defaultQuery.choices(for: text)
    }
}
