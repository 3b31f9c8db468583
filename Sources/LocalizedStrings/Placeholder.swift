extension String.LocalizationValue {
    /// The kind of a value that is known only when the text is translated.
    ///
    /// The key of `"\(placeholder: .int) books"` is `%lld books`; `LocalizationOptions.replacements` has the value.
    public enum Placeholder: Hashable, Sendable {
        /// A whole number.
        case int
        /// A whole number that is never negative.
        case uint
        /// A number with a fraction, of the type `Float`.
        case float
        /// A number with a fraction, of the type `Double`.
        case double
        /// A text.
        case object

        /// The format of the kind.
        var specifier: String {
            switch self {
            case .int: "%lld"
            case .uint: "%llu"
            case .float: "%f"
            case .double: "%lf"
            case .object: "%@"
            }
        }
    }
}
