package import BatonCore

/// A pattern for types of activities: one type, all types that begin with a prefix (`org.example.*`), or all types
/// (`*`).
package struct TypePattern: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    /// The prefix that a type must have, or nil if the pattern matches only one type.
    private let beginning: String?

    /// Parses a pattern; returns nil if it is malformed.
    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else { return nil }
        description = text
        beginning = text == "*" ? "" : text.hasSuffix(".*") ? String(text.dropLast()) : nil
        let named = beginning ?? text
        guard !named.contains("*"), beginning == nil || beginning == "" || named != "." else { return nil }
    }

    /// The pattern that matches all types.
    package static let all = TypePattern(beginning: "", "*")

    private init(beginning: String?, _ description: String) {
        (self.beginning, self.description) = (beginning, description)
    }

    /// Creates the pattern that matches only this type, which must be well formed.
    package init(exactly type: String) { (description, beginning) = (type, nil) }

    /// Whether the pattern matches a type.
    package func matches(_ type: String) -> Bool {
        guard let beginning else { return type.utf8.elementsEqual(description.utf8) }
        return type.utf8.count > beginning.utf8.count && type.utf8.starts(with: beginning.utf8)
    }

    /// Whether the pattern excludes some types: every pattern except `*`.
    package var isNarrow: Bool { exactness > 0 }

    /// How specific the pattern is; if two patterns match a type, the more specific one is used.
    package var exactness: Int { beginning.map { $0.utf8.count } ?? .max }
}

extension AppRegistration {
    /// Whether the app takes activities of a type.
    package func takes(_ type: String) -> Bool {
        types.contains { TypePattern($0)?.matches(type) ?? false }
    }
}
