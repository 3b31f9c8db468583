// Macros that make a type conform to the protocol of intents, entities or enumerations by a schema.

/// Makes a type an intent of a schema, and its stored variables parameters.
@attached(memberAttribute)
@attached(extension, conformances: AppIntent)
@attached(member, names: named(title), named(_schema))
public macro AppIntent(schema: AssistantSchemas.IntentSchema) =
    #externalMacro(module: "AppIntentsMacros", type: "IntentSchemaMacro")

/// Makes a type an entity of a schema, and its stored variables properties.
@attached(memberAttribute)
@attached(extension, conformances: AppEntity)
@attached(member, names: named(typeDisplayRepresentation), named(_schema))
public macro AppEntity(schema: AssistantSchemas.EntitySchema) =
    #externalMacro(module: "AppIntentsMacros", type: "EntitySchemaMacro")

/// Makes a type an enumeration of a schema.
@attached(extension, conformances: AppEnum)
@attached(member, names: named(typeDisplayRepresentation), named(_schema))
public macro AppEnum(schema: AssistantSchemas.EnumSchema) =
    #externalMacro(module: "AppIntentsMacros", type: "EnumSchemaMacro")

/// Makes a type an intent of a schema, and its stored variables parameters.
@available(*, deprecated, renamed: "AppIntent(schema:)")
@attached(memberAttribute)
@attached(extension, conformances: AppIntent)
@attached(member, names: named(title), named(_schema))
public macro AssistantIntent(schema: AssistantSchemas.IntentSchema) =
    #externalMacro(module: "AppIntentsMacros", type: "IntentSchemaMacro")

/// Makes a type an entity of a schema, and its stored variables properties.
@available(*, deprecated, renamed: "AppEntity(schema:)")
@attached(memberAttribute)
@attached(extension, conformances: AppEntity)
@attached(member, names: named(typeDisplayRepresentation), named(_schema))
public macro AssistantEntity(schema: AssistantSchemas.EntitySchema) =
    #externalMacro(module: "AppIntentsMacros", type: "EntitySchemaMacro")

/// Makes a type an enumeration of a schema.
@available(*, deprecated, renamed: "AppEnum(schema:)")
@attached(extension, conformances: AppEnum)
@attached(member, names: named(typeDisplayRepresentation), named(_schema))
public macro AssistantEnum(schema: AssistantSchemas.EnumSchema) =
    #externalMacro(module: "AppIntentsMacros", type: "EnumSchemaMacro")

/// Makes an enumeration whose cases have one value each usable as a value of intents.
@attached(extension, conformances: AppUnionValue, _PlainIntentValue)
@attached(member, names: named(_memberForms), named(_content), named(_value))
public macro UnionValue() = #externalMacro(module: "AppIntentsMacros", type: "UnionValueMacro")
