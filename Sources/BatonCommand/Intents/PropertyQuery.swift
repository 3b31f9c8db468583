package import BatonCore

/// A condition on the properties of entities, such as `rating > 3 && genre == "jazz"`, as a query of the index.
///
/// The language is that of `baton search --query`, with these differences: names are those of the entity's properties;
/// `true` and `false` are numbers; `nil` stands for no value; and a text that is compared with a date is a date. Only
/// these words are rewritten, and everything else is left as it is.
package struct PropertyQuery: Equatable, Sendable {
    /// The query of the index.
    package let text: String
    /// The offset of each part in the query, and its offset in the condition as it was typed, in characters.
    private let origins: [(query: Int, typed: Int)]

    package static func == (left: Self, right: Self) -> Bool { left.text == right.text }

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
        (text, origins) = (rewriting.query, rewriting.origins)
    }

    /// Throws if the query is malformed, with a pointer into the condition as it was typed.
    package func check(_ condition: String, at present: PresentTime) throws(LocalFailure) {
        do throws(QueryFailure) { _ = try SearchQuery(text, at: present) } catch {
            let place = origins.last { $0.query <= error.offset } ?? (0, 0)
            let offset = min(place.typed + error.offset - place.query, condition.count)
            let failure = QueryFailure(offset: offset, found: error.found, expected: error.expected)
            throw LocalFailure(.usage, "\(failure)\n\(failure.pointer(in: condition).text)")
        }
    }

    /// Returns the query for the entities of a type that meet a condition; nil stands for no condition.
    ///
    /// Only the attribute with the type is compared, because an item that the app made itself and associated with an
    /// entity has the app's own domain.
    package static func query(ofType type: String, where condition: PropertyQuery?) -> String {
        let base = "\(Activity.Entity.typeAttribute) == \(Self.quoted(type))"
        return condition.map { "\(base) && (\($0.text))" } ?? base
    }

    /// Returns the message for a property that can't be searched or sorted by.
    static func notIndexed(_ name: String) -> String {
        "The property “\(VisibleText(name).text)” is not in the index: its app gives it no indexing key, or has indexed no entity on this machine yet."
    }

    /// Returns a text as a literal of the query language, without wildcards.
    package static func quoted(_ text: String) -> String {
        var literal = "\""
        for character in text.unicodeScalars {
            if ["\"", "\\", "*"].contains(character) { literal.unicodeScalars.append("\\") }
            literal.unicodeScalars.append(character)
        }
        return literal + "\""
    }
}
