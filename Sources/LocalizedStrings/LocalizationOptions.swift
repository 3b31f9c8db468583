extension String {
    /// The options for the translation of a text.
    public struct LocalizationOptions {
        /// The values for the placeholders of the text, in order; nil leaves the placeholders as formats.
        public var replacements: [any CVarArg]?

        /// Creates options without values.
        public init() {}

        /// Returns the arguments of a text with values instead of placeholders.
        func filling(_ arguments: [LocalizedArgument]) -> [LocalizedArgument] {
            var rest = (replacements ?? [])[...]
            return arguments.map { argument in
                guard argument == .placeholder, let value = rest.popFirst() else { return argument }
                if let number = value as? any _FormatSpecifiable { return number._argument }
                return .text("\(value)")
            }
        }
    }
}
