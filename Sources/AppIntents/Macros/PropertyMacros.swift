public import CoreSpotlight
public import LocalizedStrings

/// Makes a computed property one that intents, queries and the index use.
@attached(peer, names: prefixed(`$`), prefixed(_))
@attached(accessor)
public macro ComputedProperty() =
    #externalMacro(module: "AppIntentsMacros", type: "ComputedPropertyMacro")

/// Makes a computed property one that intents, queries and the index use, with a name for people.
@attached(peer, names: prefixed(`$`), prefixed(_))
@attached(accessor)
public macro ComputedProperty(title: LocalizedStringResource) =
    #externalMacro(module: "AppIntentsMacros", type: "ComputedPropertyMacro")

/// Makes a computed property one that is indexed as an attribute.
@attached(peer, names: prefixed(`$`), prefixed(_))
@attached(accessor)
public macro ComputedProperty(indexingKey: PartialKeyPath<CSSearchableItemAttributeSet>) =
    #externalMacro(module: "AppIntentsMacros", type: "ComputedPropertyMacro")

/// Makes a computed property one that is indexed as an attribute of the app's own.
@attached(peer, names: prefixed(`$`), prefixed(_))
@attached(accessor)
public macro ComputedProperty(customIndexingKey: CSCustomAttributeKey) =
    #externalMacro(module: "AppIntentsMacros", type: "ComputedPropertyMacro")

/// Makes a computed property one that is indexed as an attribute, with a name for people.
@attached(peer, names: prefixed(`$`), prefixed(_))
@attached(accessor)
public macro ComputedProperty(
    title: LocalizedStringResource, indexingKey: PartialKeyPath<CSSearchableItemAttributeSet>
) = #externalMacro(module: "AppIntentsMacros", type: "ComputedPropertyMacro")

/// Makes a computed property one that is indexed as an attribute of the app's own, with a name for people.
@attached(peer, names: prefixed(`$`), prefixed(_))
@attached(accessor)
public macro ComputedProperty(title: LocalizedStringResource, customIndexingKey: CSCustomAttributeKey) =
    #externalMacro(module: "AppIntentsMacros", type: "ComputedPropertyMacro")

/// Makes a property that waits for its value one that intents, queries and the index use.
@attached(peer, names: prefixed(`$`), prefixed(_))
@attached(accessor)
public macro DeferredProperty() =
    #externalMacro(module: "AppIntentsMacros", type: "DeferredPropertyMacro")

/// Makes a property that waits for its value one that intents, queries and the index use, with a name for people.
@attached(peer, names: prefixed(`$`), prefixed(_))
@attached(accessor)
public macro DeferredProperty(title: LocalizedStringResource) =
    #externalMacro(module: "AppIntentsMacros", type: "DeferredPropertyMacro")

/// Makes a property that waits for its value one that is indexed as an attribute.
@attached(peer, names: prefixed(`$`), prefixed(_))
@attached(accessor)
public macro DeferredProperty(indexingKey: PartialKeyPath<CSSearchableItemAttributeSet>) =
    #externalMacro(module: "AppIntentsMacros", type: "DeferredPropertyMacro")

/// Makes a property that waits for its value one that is indexed as an attribute of the app's own.
@attached(peer, names: prefixed(`$`), prefixed(_))
@attached(accessor)
public macro DeferredProperty(customIndexingKey: CSCustomAttributeKey) =
    #externalMacro(module: "AppIntentsMacros", type: "DeferredPropertyMacro")

/// Makes a property that waits for its value one that is indexed as an attribute, with a name for people.
@attached(peer, names: prefixed(`$`), prefixed(_))
@attached(accessor)
public macro DeferredProperty(
    title: LocalizedStringResource, indexingKey: PartialKeyPath<CSSearchableItemAttributeSet>
) = #externalMacro(module: "AppIntentsMacros", type: "DeferredPropertyMacro")

/// Makes a property that waits for its value one that is indexed as an attribute of the app's own, with a name for people.
@attached(peer, names: prefixed(`$`), prefixed(_))
@attached(accessor)
public macro DeferredProperty(title: LocalizedStringResource, customIndexingKey: CSCustomAttributeKey) =
    #externalMacro(module: "AppIntentsMacros", type: "DeferredPropertyMacro")
