/// Finds property wrappers by reflection; they are stored under the name with `_` before it.
enum WrappedProperties {
    /// Returns the wrappers with the names of their properties, also those of superclasses.
    static func all(of value: Any) -> [(name: String, wrapper: Any)] {
        var all: [(name: String, wrapper: Any)] = []
        var mirror: Mirror? = Mirror(reflecting: value)
        while let current = mirror {
            for child in current.children {
                guard let label = child.label, label.hasPrefix("_") else { continue }
                all.append((String(label.dropFirst()), child.value))
            }
            mirror = current.superclassMirror
        }
        return all
    }
}
