/// The types of activities for which a handler stands: one, all that begin so (`org.example.*`), or all (`*`).
package struct TypePattern: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    /// What a type must begin with, if the pattern is not one type alone.
    private let beginning: String?

    /// A pattern as it is written; nothing if it is none.
    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else { return nil }
        description = text
        beginning = text == "*" ? "" : text.hasSuffix(".*") ? String(text.dropLast()) : nil
        let named = beginning ?? text
        guard !named.contains("*"), beginning == nil || beginning == "" || named != "." else { return nil }
    }

    /// The pattern of one type that is known to be well formed.
    init(_ type: WellKnownType) { (description, beginning) = (type.rawValue, nil) }

    /// Whether an activity of that type is meant.
    package func matches(_ type: String) -> Bool {
        guard let beginning else { return type.utf8.elementsEqual(description.utf8) }
        return type.utf8.count > beginning.utf8.count && type.utf8.starts(with: beginning.utf8)
    }

    /// How much it says: of two that match, the one that says more is taken.
    var exactness: Int { beginning.map { $0.utf8.count } ?? .max }
}
