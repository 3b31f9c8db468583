package import BatonCore

/// A condition on the properties of entities, such as `rating > 3 && genre == "jazz"`, as a query of the index.
///
/// The language is that of `baton search --query`, with these differences: names are those of the entity's properties;
/// `true` and `false` are numbers; `nil` stands for no value; and a text that is compared with a date is a date. Only
/// these words are rewritten, and everything else is left as it is.
package struct PropertyQuery: Equatable, Sendable {
    /// The query of the index.
    package let text: String
    /// The parts of the query in order.
    private let parts: [Part]

    package static func == (left: Self, right: Self) -> Bool { left.text == right.text }

    /// A part of the query, and its place in the condition as it was typed.
    struct Part {
        /// The numbers of characters before the part, in the query and in the condition.
        let query, typed: Int
        /// The word or the text that the part replaces; nil if the part is as it was typed.
        let replaced: String?
    }

    /// A property that entities of a type have, as the index knows it.
    package struct Property: Equatable, Sendable {
        /// The name in the app's code.
        package let name: String
        /// The name of the attribute in a query; nil if the property is not in the index.
        package let attribute: String?
        /// Whether its values are dates.
        package let isDate: Bool

        package init(_ name: String, attribute: String?, isDate: Bool = false) {
            (self.name, self.attribute, self.isDate) = (name, attribute, isDate)
        }
    }

    /// Rewrites a condition; throws a failure that points at a name if no property in the index has that name.
    package init(
        _ condition: String, of entity: String, with properties: [Property]
    ) throws(LocalFailure) {
        var rewriting = PropertyQueryRewriting(condition, entity, properties)
        try rewriting.rewrite()
        (text, parts) = (rewriting.query, rewriting.parts)
    }

    /// Throws if the query is malformed, with a pointer into the condition as it was typed.
    package func check(_ condition: String, at present: PresentTime) throws(LocalFailure) {
        do throws(QueryFailure) { _ = try SearchQuery(text, at: present) } catch {
            let failure = failure(error, in: condition)
            throw LocalFailure(.usage, "\(failure)\n\(failure.pointer(in: condition).text)")
        }
    }

    /// Returns a failure of the query as a failure of the condition as it was typed.
    private func failure(_ failure: QueryFailure, in condition: String) -> QueryFailure {
        let part = parts.last { $0.query <= failure.offset }
        guard let part, failure.offset < text.count else {
            return QueryFailure(
                offset: condition.count, found: Self.end, expected: failure.expected)
        }
        if let replaced = part.replaced {
            let found = "“\(VisibleText(replaced).text)”"
            return QueryFailure(offset: part.typed, found: found, expected: failure.expected)
        }
        let offset = min(part.typed + failure.offset - part.query, condition.count)
        return QueryFailure(offset: offset, found: failure.found, expected: failure.expected)
    }

    /// Returns the query for the entities of a type that meet a condition; nil stands for no condition.
    ///
    /// Only the attribute with the type is compared, because an item that the app made itself and associated with an
    /// entity has the app's own domain.
    package static func query(ofType type: String, where condition: PropertyQuery?) -> String {
        let base = "\(Activity.Entity.typeAttribute) == \(QueryLiteral.text(type))"
        return condition.map { "\(base) && (\($0.text))" } ?? base
    }

    /// The name of the end of a condition in messages.
    static let end = "the end of the condition"

    /// Returns the message for a property that can't be searched or sorted by.
    static func notIndexed(_ name: String) -> String {
        "The property “\(VisibleText(name).text)” is not in the index: its app gives it no indexing key, or has indexed no entity yet."
    }
}
