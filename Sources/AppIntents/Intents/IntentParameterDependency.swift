/// The values of an intent's parameters, in a query or a provider of options.
///
/// Nil while no intent of the type is being filled in, or while one of the named parameters has no value.
@propertyWrapper public struct IntentParameterDependency<Intent: AppIntent>: Sendable {
    /// Not checked by the compiler because key paths that literals make never change.
    nonisolated(unsafe) private let parameters: [PartialKeyPath<Intent>]

    /// Depends on parameters.
    public init(_ parameters: PartialKeyPath<Intent>...) { self.parameters = parameters }

    /// The values.
    public var wrappedValue: IntentProjection<Intent>? {
        guard let intent = IntentRun.current?.intent as? Intent else { return nil }
        for path in parameters {
            guard let parameter = intent[keyPath: path] as? any AnyIntentParameter, parameter.content != nil
            else { return nil }
        }
        return IntentProjection(intent: intent)
    }
}

extension DynamicOptionsProvider {
    /// The values of an intent's parameters.
    public typealias ParameterDependency = IntentParameterDependency
}
