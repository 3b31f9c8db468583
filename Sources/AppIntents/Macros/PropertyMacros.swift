public import CoreSpotlight
public import LocalizedStrings

/// Lets intents, queries and the index use a computed property.
@attached(peer, names: prefixed(`$`), prefixed(_))
@attached(accessor)
public macro ComputedProperty() =
    #externalMacro(module: "AppIntentsMacros", type: "ComputedPropertyMacro")

/// Gives a computed property a title, and lets intents, queries and the index use it.
@attached(peer, names: prefixed(`$`), prefixed(_))
@attached(accessor)
public macro ComputedProperty(title: LocalizedStringResource) =
    #externalMacro(module: "AppIntentsMacros", type: "ComputedPropertyMacro")

/// Lets intents and queries use a computed property, and indexes it as an attribute.
@attached(peer, names: prefixed(`$`), prefixed(_))
@attached(accessor)
public macro ComputedProperty(indexingKey: PartialKeyPath<CSSearchableItemAttributeSet>) =
    #externalMacro(module: "AppIntentsMacros", type: "ComputedPropertyMacro")

/// Lets intents and queries use a computed property, and indexes it as an attribute of the app's own.
@attached(peer, names: prefixed(`$`), prefixed(_))
@attached(accessor)
public macro ComputedProperty(customIndexingKey: CSCustomAttributeKey) =
    #externalMacro(module: "AppIntentsMacros", type: "ComputedPropertyMacro")

/// Gives a computed property a title, lets intents and queries use it, and indexes it as an attribute.
@attached(peer, names: prefixed(`$`), prefixed(_))
@attached(accessor)
public macro ComputedProperty(
    title: LocalizedStringResource, indexingKey: PartialKeyPath<CSSearchableItemAttributeSet>
) = #externalMacro(module: "AppIntentsMacros", type: "ComputedPropertyMacro")

/// Gives a computed property a title, lets intents and queries use it, and indexes it as an attribute of the app's own.
@attached(peer, names: prefixed(`$`), prefixed(_))
@attached(accessor)
public macro ComputedProperty(title: LocalizedStringResource, customIndexingKey: CSCustomAttributeKey) =
    #externalMacro(module: "AppIntentsMacros", type: "ComputedPropertyMacro")

/// Lets intents, queries and the index use a deferred property.
@attached(peer, names: prefixed(`$`), prefixed(_))
@attached(accessor)
public macro DeferredProperty() =
    #externalMacro(module: "AppIntentsMacros", type: "DeferredPropertyMacro")

/// Gives a deferred property a title, and lets intents, queries and the index use it.
@attached(peer, names: prefixed(`$`), prefixed(_))
@attached(accessor)
public macro DeferredProperty(title: LocalizedStringResource) =
    #externalMacro(module: "AppIntentsMacros", type: "DeferredPropertyMacro")

/// Lets intents and queries use a deferred property, and indexes it as an attribute.
@attached(peer, names: prefixed(`$`), prefixed(_))
@attached(accessor)
public macro DeferredProperty(indexingKey: PartialKeyPath<CSSearchableItemAttributeSet>) =
    #externalMacro(module: "AppIntentsMacros", type: "DeferredPropertyMacro")

/// Lets intents and queries use a deferred property, and indexes it as an attribute of the app's own.
@attached(peer, names: prefixed(`$`), prefixed(_))
@attached(accessor)
public macro DeferredProperty(customIndexingKey: CSCustomAttributeKey) =
    #externalMacro(module: "AppIntentsMacros", type: "DeferredPropertyMacro")

/// Gives a deferred property a title, lets intents and queries use it, and indexes it as an attribute.
@attached(peer, names: prefixed(`$`), prefixed(_))
@attached(accessor)
public macro DeferredProperty(
    title: LocalizedStringResource, indexingKey: PartialKeyPath<CSSearchableItemAttributeSet>
) = #externalMacro(module: "AppIntentsMacros", type: "DeferredPropertyMacro")

/// Gives a deferred property a title, lets intents and queries use it, and indexes it as an attribute of the app's own.
@attached(peer, names: prefixed(`$`), prefixed(_))
@attached(accessor)
public macro DeferredProperty(title: LocalizedStringResource, customIndexingKey: CSCustomAttributeKey) =
    #externalMacro(module: "AppIntentsMacros", type: "DeferredPropertyMacro")
