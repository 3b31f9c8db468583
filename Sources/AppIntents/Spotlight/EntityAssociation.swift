package import CoreSpotlight
import Foundation

/// The entity that an item of the index is about, in attributes of the item.
package struct EntityAssociation: Hashable, Sendable {
    /// The name of the entity's type.
    package let type: String
    /// The identifier of the entity.
    package let identifier: String
    /// How good the entity is compared with others; larger is better.
    package var priority = 0

    package init(_ identifier: EntityIdentifier, priority: Int = 0) {
        self.init(
            type: identifier.entityType.persistentIdentifier, identifier: identifier.identifier,
            priority: priority)
    }

    private init(type: String, identifier: String, priority: Int) {
        (self.type, self.identifier, self.priority) = (type, identifier, priority)
    }

    /// The role of an entity for an item.
    package enum Role: String, Sendable {
        /// The item is about the entity.
        case subject = "org_baton_entity_"
        /// The item belongs to the entity.
        case parent = "org_baton_parent_entity_"

        /// The attribute with a part of the entity's identity.
        fileprivate func key(_ part: String) -> CSCustomAttributeKey {
            guard let key = CSCustomAttributeKey(keyName: rawValue + part) else {
                preconditionFailure("the name of the attribute “\(part)” is not allowed")
            }
            return key
        }
    }

    /// Reads the entity that has a role for an item; nil if there is none.
    package init?(_ role: Role, of attributes: CSSearchableItemAttributeSet) {
        guard let type = attributes.value(forCustomKey: role.key("type")) as? NSString,
            let identifier = attributes.value(forCustomKey: role.key("identifier")) as? NSString
        else { return nil }
        let priority = attributes.value(forCustomKey: role.key("priority")) as? NSNumber
        self.init(
            type: type as String, identifier: identifier as String, priority: priority?.intValue ?? 0)
    }

    /// Writes the entity with a role to the attributes of an item.
    package func write(_ role: Role, to attributes: CSSearchableItemAttributeSet) {
        attributes.setValue(type as NSString, forCustomKey: role.key("type"))
        attributes.setValue(identifier as NSString, forCustomKey: role.key("identifier"))
        attributes.setValue(
            priority == 0 ? nil : NSNumber(value: priority), forCustomKey: role.key("priority"))
    }

    /// Removes the entity with a role from the attributes of an item.
    package static func remove(_ role: Role, from attributes: CSSearchableItemAttributeSet) {
        for part in ["type", "identifier", "priority"] {
            attributes.setValue(nil, forCustomKey: role.key(part))
        }
    }

    /// The domain of all entities of a type; a name with a dot would be a domain below another one.
    package static func domain(of type: String) -> String {
        "AppEntity-" + type.replacingOccurrences(of: ".", with: "-")
    }

    /// The domain of the entity.
    package var domain: String { Self.domain(of: type) }

    /// The identifier of the item that is indexed for the entity itself.
    package var itemIdentifier: String { "\(domain)/\(identifier)" }

    /// The identity of the entity; nil if the app has no type of that name.
    package var entityIdentifier: EntityIdentifier? {
        EntityIdentifier(activityIdentifier: activityIdentifier)
    }

    private var activityIdentifier: String {
        (type.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? type) + "/" + identifier
    }
}
