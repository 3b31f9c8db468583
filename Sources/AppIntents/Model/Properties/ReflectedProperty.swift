package import CoreSpotlight
import LocalizedStrings

/// A property of one entity with its value.
package struct ReflectedProperty {
    /// The name of the property in the source.
    package let name: String
    /// The name for people in the languages of the app.
    private let localizedTitle: LocalizedStringResource
    /// The kind of its values.
    package let form: _IntentValueForm
    /// The value; nil if none was set, or if it is deferred and was not awaited.
    package let content: _IntentValueContent?
    /// The index attribute for the value.
    package let attribute: PartialKeyPath<CSSearchableItemAttributeSet>?
    /// The app's own attribute for the value.
    package let customAttribute: CSCustomAttributeKey?

    /// The name for people; empty if the app gives none.
    package var title: String { String(localized: localizedTitle) }
}

extension ReflectedProperty {
    init(_ name: String, _ property: any AnyEntityProperty) {
        self.init(
            name: name, localizedTitle: property.title, form: property.form, content: property.content,
            attribute: property.attribute, customAttribute: property.customAttribute)
    }

    init(
        _ name: String, _ property: any AnyComputedEntityProperty, _ content: _IntentValueContent?
    ) {
        self.init(
            name: name, localizedTitle: property.title, form: property.form, content: content,
            attribute: property.attribute, customAttribute: property.customAttribute)
    }
}
