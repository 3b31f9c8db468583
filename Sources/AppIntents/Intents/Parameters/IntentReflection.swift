/// Finds the parameters of an intent by reflection.
package enum IntentReflection {
    /// Returns the parameters in the order of the declaration.
    package static func parameters(of intent: any AppIntent) -> [NamedParameter] {
        WrappedProperties.all(of: intent).compactMap { name, child in
            (child as? any AnyIntentParameter).map { NamedParameter(name: name, parameter: $0) }
        }
    }

    /// Returns the name of a parameter of an intent; nil if the intent does not store it.
    package static func name(of parameter: any AnyIntentParameter, in intent: any AppIntent) -> String? {
        parameters(of: intent).first { $0.parameter === parameter }?.name
    }
}
