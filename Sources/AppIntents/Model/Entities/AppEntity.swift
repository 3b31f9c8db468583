import LocalizedStrings

/// A thing of an app that intents work with: it can be named, found and shown.
///
/// A query of the app finds the entities by their identifiers, on any machine on which the app runs.
@_alwaysEmitConformanceMetadata
public protocol AppEntity: AppValue, DisplayRepresentable, Identifiable
where ID: EntityIdentifierConvertible & Sendable, ValueType == Self {
    /// The query that finds entities by their identifiers.
    associatedtype DefaultQuery: EntityQuery where DefaultQuery.Entity == Self

    /// The query that finds entities by their identifiers.
    static var defaultQuery: DefaultQuery { get }
}

extension AppEntity {
    /// The wrapper of a property that intents and queries use.
    public typealias Property = EntityProperty

    /// An entity.
    public static var _form: _IntentValueForm { .entity(Self.self) }

    /// The type's name and the identifier.
    public var _content: _IntentValueContent {
        .entity(type: Self.persistentIdentifier, identifier: entityIdentifier.identifier)
    }

    /// Returns the entity from the app's query: by its identifier, or by a text that fits only one.
    public static func _value(of content: _IntentValueContent) async throws -> Self {
        switch content {
        case .entity(let type, let identifier):
            guard type == persistentIdentifier else {
                throw IntentValueError.wrongKind(expected: _form.name, value: type)
            }
            if let entity = try await entity(withIdentifier: identifier) { return entity }
            throw IntentValueError.noEntity(type: _form.name, identifier: identifier)
        default: return try await entity(named: content.summary)
        }
    }

    /// The identifier of the entity among all entities of the app.
    package var entityIdentifier: EntityIdentifier { EntityIdentifier(for: self) }

    /// Returns the entity with an identifier; nil if the app's query gives none.
    package static func entity(withIdentifier text: String) async throws -> Self? {
        guard let identifier = ID.entityIdentifier(for: text) else { return nil }
        return try await defaultQuery.entities(for: [identifier]).first { $0.id == identifier }
    }

    /// Returns the entity that a person named: by its identifier, its title, or a word for which the query searches.
    package static func entity(named text: String) async throws -> Self {
        if let entity = try await entity(withIdentifier: text) { return entity }
        // A query may give all entities for an empty text, which names none of them.
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw IntentValueError.noEntity(type: _form.name, identifier: text)
        }
        let found = try await candidates(for: text)
        let exact = found.filter { $0.displayRepresentation.text.lowercased() == text.lowercased() }
        let best = exact.isEmpty ? found : exact
        guard let first = best.first else {
            throw IntentValueError.noEntity(type: _form.name, identifier: text)
        }
        guard best.count == 1 else {
            throw IntentValueError.severalEntities(
                type: _form.name, text: text, titles: best.prefix(10).map(\.displayRepresentation.text))
        }
        return first
    }

    /// Returns the entities that a text may stand for.
    private static func candidates(for text: String) async throws -> [Self] {
        if let query = defaultQuery as? any EntityStringQuery {
            return try await query.matches(text).compactMap { $0 as? Self }
        }
        let known = try await defaultQuery.offeredEntities().compactMap { $0 as? Self }
        let word = text.lowercased()
        return known.filter { entity in
            let representation = entity.displayRepresentation
            return ([representation.title] + representation.synonyms)
                .contains { String(localized: $0).lowercased().contains(word) }
        }
    }
}
