import Foundation

/// The identity of an entity: its type and its identifier as a text.
public struct EntityIdentifier: Hashable, Sendable {
    /// The type of the entity.
    public let entityType: any AppEntity.Type
    /// The identifier among the entities of the type.
    public let identifier: String

    /// The most characters of an identifier; the rest is cut.
    public static let valueMaximumLength = 4096

    private init(type: any AppEntity.Type, text: String) {
        (entityType, identifier) = (type, String(text.prefix(Self.valueMaximumLength)))
        EntityTypes.shared.register(type)
    }

    /// Creates the identity of an entity.
    public init<Entity: AppEntity>(for entity: Entity) {
        self.init(type: Entity.self, text: entity.id.entityIdentifierString)
    }

    /// Creates the identity of the entity with an identifier.
    public init<Entity: AppEntity>(for type: Entity.Type, identifier: Entity.ID) {
        self.init(type: type, text: identifier.entityIdentifierString)
    }

    /// Creates the identity that `activityIdentifier` wrote; nil if the app has no such type.
    public init?(activityIdentifier: String) {
        let parts = activityIdentifier.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let name = String(parts[0]).removingPercentEncoding,
            let type = EntityTypes.shared.type(named: name)
        else { return nil }
        self.init(type: type, text: String(parts[1]))
    }

    /// The name of the type and the identifier, as an activity has them.
    package var activityIdentifier: String {
        let name = entityType.persistentIdentifier
        return (name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? name) + "/" + identifier
    }

    /// Compares types and identifiers.
    public static func == (one: EntityIdentifier, other: EntityIdentifier) -> Bool {
        one.entityType == other.entityType && one.identifier == other.identifier
    }

    /// Hashes type and identifier.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(entityType))
        hasher.combine(identifier)
    }
}

extension EntityIdentifier: CustomStringConvertible {
    /// The name of the type and the identifier.
    public var description: String { activityIdentifier }
}

extension EntityIdentifier: _IntentValue {
    /// An identifier.
    public static var _form: _IntentValueForm { .identifier }
    /// The type's name and the identifier.
    public var _content: _IntentValueContent {
        .entity(type: entityType.persistentIdentifier, identifier: identifier)
    }
    /// Returns the identity, also from a text with one.
    public static func _value(of content: _IntentValueContent) async throws -> EntityIdentifier {
        switch content {
        case .entity(let name, let identifier):
            if let type = EntityTypes.shared.type(named: name) {
                return EntityIdentifier(type: type, text: identifier)
            }
        case .text(let text):
            if let identifier = EntityIdentifier(activityIdentifier: text) { return identifier }
        default: break
        }
        throw IntentValueError.wrongKind(expected: _form.name, value: content.summary)
    }
}
