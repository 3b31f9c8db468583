/// Finds the parameters of an intent by reflection; property wrappers are stored under the name with `_` before it.
package enum IntentReflection {
    /// Returns the parameters in the order of the declaration.
    package static func parameters(of intent: any AppIntent) -> [NamedParameter] {
        children(of: intent).compactMap { name, child in
            (child as? any AnyIntentParameter).map { NamedParameter(name: name, parameter: $0) }
        }
    }

    /// Returns the name of a parameter of an intent; nil if the intent does not store it.
    package static func name(of parameter: any AnyIntentParameter, in intent: any AppIntent) -> String? {
        parameters(of: intent).first { $0.parameter === parameter }?.name
    }

    private static func children(of intent: any AppIntent) -> [(String, Any)] {
        var children: [(String, Any)] = []
        var mirror: Mirror? = Mirror(reflecting: intent)
        while let current = mirror {
            for child in current.children {
                guard let label = child.label, label.hasPrefix("_") else { continue }
                children.append((String(label.dropFirst()), child.value))
            }
            mirror = current.superclassMirror
        }
        return children
    }
}
