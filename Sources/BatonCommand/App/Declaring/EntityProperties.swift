import BatonClient
import BatonCore

/// The properties of an entity that a program indexes, as attributes of the entity's item.
struct EntityProperties {
    private let entity: DeclaredEntity
    /// The values by the names of the properties, in the order of the declaration.
    private let values: [(property: DeclaredProperty, value: PropertyValue)]

    /// Reads the keys `entity` and `properties` of an item; returns nil if the item is no entity.
    ///
    /// The manifest is that of the app, or nil if the app has declared nothing.
    init?(_ members: JSONMembers, in app: IntentManifest?) throws(JSONError) {
        guard let name = try members.text("entity") else {
            guard members["properties"] == nil else { throw JSONError("`properties` needs an `entity`") }
            return nil
        }
        guard let app, let entity = app.entity(named: name), app.speaksLines else {
            let near = Suggestion.nearest(to: name, among: app?.entities.map(\.name) ?? [])
            let advice = near.map { "did you mean “\($0)”?" } ?? "declare it by `declare` first"
            throw JSONError("the app has not declared the entity “\(name)”; \(advice)")
        }
        let json = members["properties"] ?? .object([])
        let given = try JSONMembers(json, "`properties` of “\(name)”", keys: entity.properties.map(\.name))
        var values: [(property: DeclaredProperty, value: PropertyValue)] = []
        for property in entity.properties {
            guard let json = given[property.name] else {
                guard property.type.isOptional else {
                    throw JSONError("the property “\(property.name)” of the entity “\(name)” is missing")
                }
                continue
            }
            guard let value = Self.value(json, of: property, in: app) else {
                throw JSONError(
                    "the property “\(property.name)” must be \(Self.form(of: property.type, in: app))")
            }
            values.append((property, value))
        }
        (self.entity, self.values) = (entity, values)
    }

    /// Adds the attributes of an entity to those of its item; the entity has the identifier of the item.
    ///
    /// Throws if an attribute is there already, because nobody could tell which of the two values is meant.
    func add(to attributes: inout AttributeSet, of identifier: String) throws(JSONError) {
        let about = Activity.Entity(type: entity.name, identifier: identifier)
        guard identifier.utf8.count <= Self.identifierBytes else {
            throw JSONError("the ID of an entity must have at most \(Self.identifierBytes) bytes")
        }
        for entry in about.attributes.entries { attributes[entry.name] = entry.value }
        for (property, value) in values {
            let field = try FieldName(attribute: property.attribute ?? property.name)
            guard attributes[field] == nil else {
                throw JSONError("the property “\(property.name)” is also given as an attribute of the item")
            }
            attributes[field] = .plain(value)
        }
    }

    /// The most bytes of an entity's identifier, which are fewer than the index can read back.
    private static let identifierBytes = 2048

    // MARK: Values

    /// Whether the attribute of a property can hold all values of the property's kind.
    static func canHold(_ property: DeclaredProperty) -> Bool {
        let sample: PropertyValue =
            switch property.type.kind {
            case .integer: .integer(1)
            case .real: .real(0.5)
            case .flag: .boolean(true)
            case .date: .date(0)
            case .url: property.isCustom ? .string("https://example.org/") : .url("https://example.org/")
            default: .string("text")
            }
        let value = property.type.isList ? PropertyValue.array([sample]) : sample
        guard let attribute = property.attribute.flatMap({ Attribute(name: $0) }) else {
            return CustomAttribute.accepts(value)
        }
        return attribute.accepts(value)
    }

    /// Returns the value of a property; nil if it has the wrong type.
    private static func value(
        _ json: JSON, of property: DeclaredProperty, in app: IntentManifest
    ) -> PropertyValue? {
        guard property.type.isList else { return single(json, of: property, in: app) }
        guard let elements = json.array else { return nil }
        let values = elements.compactMap { single($0, of: property, in: app) }
        return values.count == elements.count ? .array(values) : nil
    }

    private static func single(
        _ json: JSON, of property: DeclaredProperty, in app: IntentManifest
    ) -> PropertyValue? {
        switch (property.type.kind, json) {
        case (.text, .string(let text)), (.entity, .string(let text)): .string(text)
        case (.choice, .string(let name)):
            app.cases(of: property.type)?.contains { $0.name == name } == true ? .string(name) : nil
        case (.integer, .integer(let number)): .integer(number)
        case (.real, .integer(let number)): .real(Double(number))
        case (.real, .real(let number)): .real(number)
        case (.flag, .boolean(let isOn)): .boolean(isOn)
        case (.date, .string(let text)):
            WallTime(iso: text) { _ in 0 }.map { PropertyValue.date(Double($0.milliseconds) / 1000) }
        // An attribute of an app can't hold an address.
        case (.url, .string(let text)): property.isCustom ? .string(text) : .url(text)
        default: nil
        }
    }

    /// Returns the form of the values in lines of JSON, for messages.
    private static func form(of type: DeclaredValueType, in app: IntentManifest) -> String {
        let single =
            switch type.kind {
            case .integer: "a whole number"
            case .real: "a number"
            case .flag: "true or false"
            case .date: "a date, such as \"2026-11-20T21:04Z\""
            case .choice: "one of \(InstalledIntents.list((app.cases(of: type) ?? []).map(\.name)))"
            case .entity: "the ID of an entity"
            default: "a text"
            }
        return type.isList ? "a list, each element \(single)" : single
    }
}
