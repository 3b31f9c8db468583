/// The title of an intent for some of its parameters.
public struct _IntentPrediction<Intent: AppIntent>: IntentPredictionConfiguration {
    private let title: (Intent) -> DisplayRepresentation?

    /// Returns the title; nil if a parameter has no value.
    public func _title(of intent: any AppIntent) -> DisplayRepresentation? {
        (intent as? Intent).flatMap { title($0) }
    }

    /// Creates a title that needs no parameters.
    public init(displayRepresentation: DisplayRepresentation) { title = { _ in displayRepresentation } }

    /// Creates a title that needs no parameters.
    public init(displayRepresentation: @escaping () -> DisplayRepresentation) {
        title = { _ in displayRepresentation() }
    }

    /// Creates a title that needs the values of parameters.
    public init<each Value: _IntentValue>(
        parameters: (repeat KeyPath<Intent, IntentParameter<each Value>>),
        displayRepresentation: @escaping (repeat each Value) -> DisplayRepresentation
    ) {
        title = { intent in
            func value<Wanted>(_ path: KeyPath<Intent, IntentParameter<Wanted>>) throws(NoValue) -> Wanted {
                guard let value = intent[keyPath: path].currentValue else { throw NoValue() }
                return value
            }
            return try? displayRepresentation(repeat value(each parameters))
        }
    }

    /// Thrown when a value that a title needs is missing.
    private struct NoValue: Error {}
}
