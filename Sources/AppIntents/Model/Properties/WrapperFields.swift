import BatonNetwork
@_spi(Reflection) import Swift

/// The fields of a structure that hold property wrappers.
///
/// The fields are found once for each type, because a mirror of each entity takes several times as long. The standard
/// library offers the paths to its own packages only, so a mirror stands in wherever it has none.
///
/// Unchecked because the key paths that the runtime makes never change.
struct WrapperFields: @unchecked Sendable {
    /// The names of the properties, which lack the `_` before the names of their fields, and the paths to the fields.
    private let fields: [(name: String, path: AnyKeyPath)]

    /// The fields of the types that were asked for; nil for a type that is no structure.
    private static let known = Monitor<[ObjectIdentifier: WrapperFields?]>([:])

    /// Returns the fields of a type; nil if it is no structure, or if a field can't be read by a path.
    private static func fields<Entity>(of type: Entity.Type) -> WrapperFields? {
        let key = ObjectIdentifier(type)
        if let found = known.change({ $0[key] }) { return found }
        var fields: [(name: String, path: AnyKeyPath)] = []
        let areAllFound = unsafe _forEachFieldWithKeyPath(of: type) { label, path in
            let label = unsafe String(cString: label)
            if label.hasPrefix("_") { fields.append((String(label.dropFirst()), path)) }
            return true
        }
        let found = areAllFound ? WrapperFields(fields: fields) : nil
        known.change { $0[key] = .some(found) }
        return found
    }

    /// Returns the property wrappers of an entity with the names of their properties; nil for an entity that is no
    /// structure.
    static func values<Entity>(of entity: Entity) -> [(name: String, wrapper: Any)]? {
        guard let fields = fields(of: Entity.self) else { return nil }
        return fields.fields.compactMap { field in
            guard let path = field.path as? PartialKeyPath<Entity> else { return nil }
            return (field.name, entity[keyPath: path])
        }
    }
}
