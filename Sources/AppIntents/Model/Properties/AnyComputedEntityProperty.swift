package import CoreSpotlight
package import LocalizedStrings

/// A computed or deferred property whose types are not known.
package protocol AnyComputedEntityProperty: Sendable {
    /// The name of the property for people; empty if the app gives none.
    var title: LocalizedStringResource { get }
    /// The kind of its values.
    var form: _IntentValueForm { get }
    /// The index attribute for the value.
    var attribute: PartialKeyPath<CSSearchableItemAttributeSet>? { get }
    /// The app's own attribute for the value.
    var customAttribute: CSCustomAttributeKey? { get }
    /// Returns the value without waiting; nil if it is deferred.
    func content(in entity: any AppEntity) -> _IntentValueContent?
    /// Returns the value, and waits for it if it is deferred.
    func awaitedContent(in entity: any AppEntity) async throws -> _IntentValueContent?
}
