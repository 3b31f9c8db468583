package import CoreSpotlight

/// A property whose type of value is not known.
package protocol AnyEntityProperty: AnyObject, Sendable {
    /// The name in the source of a computed property; nil for others, whose names are found by reflection.
    var computedName: String? { get }
    /// The name of the property for people.
    var titleText: String { get }
    /// The kind of its values.
    var form: _IntentValueForm { get }
    /// The value; nil if none was set.
    var content: _IntentValueContent? { get }
    /// The attribute of the index with the value.
    var attribute: PartialKeyPath<CSSearchableItemAttributeSet>? { get }
    /// The attribute of the app's own with the value.
    var customAttribute: CSCustomAttributeKey? { get }
}
