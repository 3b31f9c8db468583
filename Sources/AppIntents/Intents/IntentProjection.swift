/// The values of an intent's parameters.
@dynamicMemberLookup public struct IntentProjection<Intent: AppIntent>: Sendable {
    let intent: Intent

    /// The value of a parameter.
    public subscript<Value>(dynamicMember parameter: KeyPath<Intent, Value>) -> Value {
        intent[keyPath: parameter]
    }
}
