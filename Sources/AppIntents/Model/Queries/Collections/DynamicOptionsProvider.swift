/// Gives the values that a person may choose for a parameter.
public protocol DynamicOptionsProvider: _SupportsAppDependencies {
    /// The type of the collection of values.
    associatedtype Result: ResultsCollection
    /// The type of the value that is used if the person chooses none.
    associatedtype DefaultValue: _IntentValue = Never

    /// Returns the values.
    func results() async throws -> Result
    /// Returns the value that is used if the person chooses none; nil if there is none.
    func defaultResult() async -> DefaultValue?
}

extension DynamicOptionsProvider {
    /// An earlier spelling of `IntentItem`.
    public typealias Item = IntentItem
    /// An earlier spelling of `IntentItemCollection`.
    public typealias ItemCollection = IntentItemCollection
    /// An earlier spelling of `IntentItemSection`.
    public typealias ItemSection = IntentItemSection

    /// Nil: there is no such value.
    public func defaultResult() async -> DefaultValue? { nil }
}
