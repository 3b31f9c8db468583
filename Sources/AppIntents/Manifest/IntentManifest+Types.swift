package import BatonClient
import CoreSpotlight
import LocalizedStrings

extension IntentManifest {
    /// Describes the types of a program, in the person's language.
    ///
    /// With `asksQueries`, the app's own queries are asked for an entity of each type that the app has not made yet,
    /// because only an entity tells titles and attributes. `report` gets the failures of queries. An installer asks
    /// queries; a running app does not.
    package init(
        _ types: ProgramTypes, app: String, title: String?, program: [String], asksQueries: Bool = false,
        report: @Sendable (String) -> Void = { _ in }
    ) async {
        self.init(app: app, title: title, program: program)
        intents = types.intents.map { DeclaredIntent($0) }
        for type in types.entities {
            var sample = EntitySamples.shared.sample(of: type)
            if sample == nil, asksQueries {
                do {
                    sample = try await EntitySamples.shared.offeredSample(of: type)
                } catch {
                    // The manifest is complete without the attributes of this type.
                    report(
                        "The query for \(type.persistentIdentifier) failed, so the manifest lacks the index attributes of its properties: \(error)"
                    )
                }
            }
            entities.append(DeclaredEntity(type, sample: sample))
        }
        enumerations = types.enumerations.map { DeclaredEnumeration($0) }
        shortcuts = types.shortcuts.map { DeclaredShortcut($0) }
        negativePhrases = types.negativePhrases.map(\.phrase)
    }
}

extension DeclaredIntent {
    /// Describes an intent.
    package init(_ type: any AppIntent.Type) { self.init(of: type) }

    private init<Intent: AppIntent>(of type: Intent.Type) {
        let intent = Intent()
        self.init(name: Intent.persistentIdentifier, title: String(localized: Intent.title))
        let description = Intent.description._description
        self.description = description.map { String(localized: $0.descriptionText) }
        category = description?.categoryName.map { String(localized: $0) }
        let usage = IntentUsage(intent)
        sentence = usage.sentence
        isDiscoverable = Intent.isDiscoverable
        opensApp = Intent.supportedModes.contains(.foreground(.immediate))
        isFocusFilter = Intent.self is any SetFocusFilterIntent.Type
        authentication =
            switch Intent.authenticationPolicy {
            case .alwaysAllowed: .none
            case .requiresAuthentication: .session
            case .requiresLocalDeviceAuthentication: .person
            }
        if let deprecated = type as? any DeprecatedAppIntent.Type {
            (deprecation, replacement) = deprecated.advice
        }
        parameters = usage.parameters.map { DeclaredParameter($0) }
        if type is any OpenIntent.Type,
            let target = parameters.first(where: { $0.name == "target" })?.type, target.kind == .entity
        {
            opens = target.name
        }
    }
}

extension DeprecatedAppIntent {
    /// The advice to the person and the name of the replacement.
    fileprivate static var advice: (text: String, replacement: String?) {
        let words = deprecation.message.map { String(localized: $0) }
        let replacement = deprecation.replacement
        let advice = replacement.map { "Use \($0) instead." } ?? "It will be removed."
        return (words ?? advice, replacement)
    }
}

extension DeclaredParameter {
    /// Describes a parameter.
    package init(_ named: NamedParameter) {
        let parameter = named.parameter
        self.init(
            name: named.name, title: parameter.details.titleText,
            type: DeclaredValueType(form: parameter.form))
        description = parameter.details.description.map { String(localized: $0) }
        if let content = parameter.content, !content.isNone { standard = content.summary }
        range = parameter.details.range.map {
            (ParameterDetails.text($0.lowerBound), ParameterDetails.text($0.upperBound))
        }
        hasOptions = parameter.details.options != nil
    }
}

extension DeclaredEnumeration {
    /// Describes an enumeration.
    package init(_ type: any AppEnum.Type) {
        self.init(
            name: type.persistentIdentifier, title: type.typeDisplayRepresentation.text,
            cases: type.declaredCases)
    }
}

extension AppEnum {
    /// The cases that have titles.
    fileprivate static var declaredCases: [DeclaredCase] {
        orderedCases.map { value in
            let representation = value.displayRepresentation
            return DeclaredCase(
                name: value.rawValue.description, title: representation.text,
                synonyms: representation.synonyms.map { String(localized: $0) })
        }
    }
}

extension DeclaredEntity {
    /// Describes a type of entities; an entity of the type tells titles and attributes of properties.
    package init(_ type: any AppEntity.Type, sample: (any AppEntity)?) {
        let representation = type.typeDisplayRepresentation
        self.init(name: type.persistentIdentifier, title: representation.text)
        synonyms = representation.synonyms.map { String(localized: $0) }
        isIndexed = type is any IndexedEntity.Type
        hasTextQuery = type.queryFindsTexts
        if let sample {
            properties = EntityReflection.properties(of: sample).map { DeclaredProperty($0) }
        } else {
            properties = EntityFields.fields(of: type).map { field in
                var property = DeclaredProperty(
                    name: field.name, title: "", type: DeclaredValueType(form: field.form))
                property.isKnownByTypeOnly = true
                return property
            }
        }
    }
}

extension AppEntity {
    /// Whether the query finds entities by a text.
    fileprivate static var queryFindsTexts: Bool { DefaultQuery.self is any EntityStringQuery.Type }
}

extension DeclaredProperty {
    /// Describes a property of an entity.
    init(_ property: ReflectedProperty) {
        self.init(
            name: property.name, title: property.title, type: DeclaredValueType(form: property.form))
        if let queried = property.queriedAttribute {
            (attribute, isCustom) = (queried.name, queried.isCustom)
        }
    }
}

extension DeclaredShortcut {
    /// Describes a shortcut.
    init(_ shortcut: AppShortcut) {
        self.init(
            intent: type(of: shortcut.intent).persistentIdentifier,
            title: shortcut.shortTitle.map { String(localized: $0) },
            phrases: shortcut.phrases.map { phrase in
                phrase.parts.map { part in
                    switch part {
                    case .words(let words): words
                    case .application: "${applicationName}"
                    case .parameter(let name): "${\(name)}"
                    }
                }.joined()
            })
        for named in IntentReflection.parameters(of: shortcut.intent) {
            if let content = named.parameter.content, !content.isNone {
                values.append((named.name, content.summary))
            }
        }
    }
}
