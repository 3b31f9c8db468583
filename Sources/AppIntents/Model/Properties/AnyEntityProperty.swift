package import CoreSpotlight
package import LocalizedStrings

/// A property without the type of its value.
package protocol AnyEntityProperty: AnyObject, Sendable {
    /// The name in the source of a computed property; nil for others, whose names are found by reflection.
    var computedName: String? { get }
    /// The name of the property for people; empty if the app gives none.
    var title: LocalizedStringResource { get }
    /// The kind of its values.
    var form: _IntentValueForm { get }
    /// The value; nil if none was set.
    var content: _IntentValueContent? { get }
    /// The index attribute for the value.
    var attribute: PartialKeyPath<CSSearchableItemAttributeSet>? { get }
    /// The app's own attribute for the value.
    var customAttribute: CSCustomAttributeKey? { get }
}
