/// Sets one value, such as whether something is on.
@_alwaysEmitConformanceMetadata
public protocol SetValueIntent: SystemIntent {
    /// The type of the value.
    associatedtype ValueType: _IntentValue

    /// The value to set.
    var value: ValueType { get set }
}
