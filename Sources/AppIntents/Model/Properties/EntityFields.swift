@_spi(Reflection) import Swift

/// The properties of a type of entities, as far as they are known without an entity.
///
/// The runtime knows the names and types of stored properties. Titles and index attributes are values of the wrappers,
/// so only an entity has them.
package enum EntityFields {
    /// A property without its title and its attributes.
    package struct Field {
        /// The name in the source.
        package let name: String
        /// The kind of its values.
        package let form: _IntentValueForm
    }

    /// The options for classes, and for going on after fields of unknown types; the library declares them as variables,
    /// which a concurrent program must not read.
    private static let (classType, ignoreUnknown) =
        (_EachFieldOptions(rawValue: 1 << 0), _EachFieldOptions(rawValue: 1 << 1))

    /// Returns the properties in the order of the declaration; those of superclasses come first.
    package static func fields(of type: any AppEntity.Type) -> [Field] {
        var fields: [Field] = []
        let options: _EachFieldOptions = type is AnyClass ? [classType, ignoreUnknown] : ignoreUnknown
        _ = _forEachField(of: type, options: options) { label, _, fieldType, _ in
            let name = String(cString: label)
            if name.hasPrefix("_"), let property = fieldType as? any PropertyStorage.Type {
                fields.append(Field(name: String(name.dropFirst()), form: property.storedForm))
            }
            return true
        }
        return fields
    }
}

/// The stored form of a property, whose type tells the kind of its values.
private protocol PropertyStorage {
    static var storedForm: _IntentValueForm { get }
}

extension EntityProperty: PropertyStorage {
    static var storedForm: _IntentValueForm { Value._form }
}

extension _ComputedEntityProperty: PropertyStorage {
    static var storedForm: _IntentValueForm { Value._form }
}
