package import CoreSpotlight
import Foundation
import LocalizedStrings

/// Makes the attributes under which an entity is indexed.
package enum EntityAttributes {
    /// Returns the attributes without those of deferred properties.
    package static func attributes(of entity: some IndexedEntity) -> CSSearchableItemAttributeSet {
        EntitySamples.shared.note(entity)
        return attributes(of: entity, EntityReflection.properties(of: entity))
    }

    /// Returns the attributes, and waits for those of deferred properties.
    package static func awaitedAttributes(
        of entity: some IndexedEntity
    ) async throws -> CSSearchableItemAttributeSet {
        EntitySamples.shared.note(entity)
        return attributes(of: entity, try await EntityReflection.awaitedProperties(of: entity))
    }

    private static func attributes(
        of entity: some IndexedEntity, _ properties: [ReflectedProperty]
    ) -> CSSearchableItemAttributeSet {
        let own = entity.attributeSet
        let attributes = own.copy() as? CSSearchableItemAttributeSet ?? own
        set(entity.displayRepresentation, in: attributes)
        for property in properties {
            guard let content = property.content else { continue }
            if let attribute = property.attribute {
                IndexedValue(content).write(to: attribute, of: attributes)
            }
            if let key = property.customAttribute {
                attributes.setValue(IndexedValue(content).object, forCustomKey: key)
            }
        }
        return attributes
    }

    /// Sets title, subtitle, picture and other words; what a representation lacks stays as it is.
    package static func set(
        _ representation: DisplayRepresentation, in attributes: CSSearchableItemAttributeSet
    ) {
        let title = representation.text
        attributes.title = title
        attributes.displayName = title
        if let subtitle = representation.subtitle {
            attributes.contentDescription = String(localized: subtitle)
        }
        switch representation.image?.source {
        case .data(let data): attributes.thumbnailData = data
        case .url(let url, _, _): attributes.thumbnailURL = url
        case .named(let name):
            attributes.thumbnailURL = Bundle.main.url(forResource: name, withExtension: nil)
        case .system, nil: break
        }
        if !representation.synonyms.isEmpty {
            attributes.alternateNames = representation.synonyms.map { String(localized: $0) }
        }
    }
}
