public import CoreSpotlight
public import LocalizedStrings

/// The details of a property that stores no value, as `@ComputedProperty` and `@DeferredProperty` write them.
///
/// Two of them are always equal, and their coded form is empty, so that entities keep the conformances that the
/// compiler makes.
public struct _ComputedEntityProperty<Entity: AppEntity, Value: _IntentValue>: Sendable {
    /// The way to get the value from an entity.
    private enum Getter: Sendable {
        case immediate(@Sendable (Entity) -> Value)
        case deferred(@Sendable (Entity) async throws -> Value)
    }

    /// The name of the property in the source.
    package let name: String
    /// The name of the property for people; empty if the app gives none.
    package let title: LocalizedStringResource
    /// Not checked by the compiler because key paths that literals make never change.
    nonisolated(unsafe) private let indexingKey: PartialKeyPath<CSSearchableItemAttributeSet>?
    /// A key never changes.
    nonisolated(unsafe) private let customIndexingKey: CSCustomAttributeKey?
    private let getter: Getter

    /// Notes a computed property.
    public init(
        _ name: String, title: LocalizedStringResource = "",
        indexingKey: PartialKeyPath<CSSearchableItemAttributeSet>? = nil,
        customIndexingKey: CSCustomAttributeKey? = nil, computing: @escaping @Sendable (Entity) -> Value
    ) {
        self.name = name
        (self.title, self.indexingKey, self.customIndexingKey) = (title, indexingKey, customIndexingKey)
        getter = .immediate(computing)
    }

    /// Notes a deferred property.
    public init(
        _ name: String, title: LocalizedStringResource = "",
        indexingKey: PartialKeyPath<CSSearchableItemAttributeSet>? = nil,
        customIndexingKey: CSCustomAttributeKey? = nil,
        deferring: @escaping @Sendable (Entity) async throws -> Value
    ) {
        self.name = name
        (self.title, self.indexingKey, self.customIndexingKey) = (title, indexingKey, customIndexingKey)
        getter = .deferred(deferring)
    }

    /// Returns the property of an entity, for queries that name it as `\Book.$title`.
    public func property(of entity: Entity) -> EntityProperty<Value> {
        guard case .immediate(let compute) = getter else { return EntityProperty(named: name, title) }
        return EntityProperty(named: name, title) { compute(entity) }
    }
}

extension _ComputedEntityProperty: Hashable {
    /// Always true.
    public static func == (one: Self, other: Self) -> Bool { true }
    /// Adds nothing.
    public func hash(into hasher: inout Hasher) {}
}

extension _ComputedEntityProperty: Codable {
    /// Writes nothing.
    public func encode(to encoder: any Encoder) throws {}

    /// Throws: code that the compiler makes never decodes a property with an initial value.
    public init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "a computed property"))
    }
}

extension _ComputedEntityProperty: AnyComputedEntityProperty {
    package var form: _IntentValueForm { Value._form }
    package var attribute: PartialKeyPath<CSSearchableItemAttributeSet>? { indexingKey }
    package var customAttribute: CSCustomAttributeKey? { customIndexingKey }

    package func content(in entity: any AppEntity) -> _IntentValueContent? {
        guard case .immediate(let compute) = getter, let entity = entity as? Entity else { return nil }
        return compute(entity)._content
    }

    package func awaitedContent(in entity: any AppEntity) async throws -> _IntentValueContent? {
        guard case .deferred(let compute) = getter, let entity = entity as? Entity else {
            return content(in: entity)
        }
        return try await compute(entity)._content
    }
}
