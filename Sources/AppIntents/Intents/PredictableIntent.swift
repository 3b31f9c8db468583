/// An intent that says how it is shown where the system suggests it.
public protocol PredictableIntent: AppIntent {
    /// The type of the predictions.
    associatedtype PredictionConfiguration: IntentPredictionConfiguration

    /// The titles of the intent for the parameters that have values.
    @IntentPredictionsBuilder<Self> static var predictionConfiguration: PredictionConfiguration { get }
}

extension PredictableIntent {
    /// The title of the intent for some of its parameters.
    public typealias IntentPrediction = _IntentPrediction<Self>
}

/// The titles of an intent.
public protocol IntentPredictionConfiguration {
    /// Returns the title of an intent; nil if a parameter that it needs has no value.
    func _title(of intent: any AppIntent) -> DisplayRepresentation?
}

/// Several titles of an intent, of which the first that has its values is used.
public struct IntentPredictions: IntentPredictionConfiguration {
    let predictions: [any IntentPredictionConfiguration]

    /// Returns the first title that has its values.
    public func _title(of intent: any AppIntent) -> DisplayRepresentation? {
        predictions.lazy.compactMap { $0._title(of: intent) }.first
    }
}

/// Collects the titles of an intent.
@resultBuilder public struct IntentPredictionsBuilder<Intent: AppIntent> {
    /// Takes a title.
    public static func buildExpression(_ prediction: _IntentPrediction<Intent>) -> _IntentPrediction<Intent> {
        prediction
    }
    /// Joins titles.
    public static func buildBlock(_ predictions: _IntentPrediction<Intent>...) -> IntentPredictions {
        IntentPredictions(predictions: predictions)
    }
}

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

    /// Creates a title that needs a parameter.
    public init<A: _IntentValue>(
        parameters: KeyPath<Intent, IntentParameter<A>>,
        displayRepresentation: @escaping (A) -> DisplayRepresentation
    ) {
        title = { intent in
            guard let a = intent[keyPath: parameters].currentValue
            else { return nil }
            return displayRepresentation(a)
        }
    }

    /// Creates a title that needs two parameters.
    public init<A: _IntentValue, B: _IntentValue>(
        parameters: (KeyPath<Intent, IntentParameter<A>>, KeyPath<Intent, IntentParameter<B>>),
        displayRepresentation: @escaping (A, B) -> DisplayRepresentation
    ) {
        title = { intent in
            guard let a = intent[keyPath: parameters.0].currentValue,
                let b = intent[keyPath: parameters.1].currentValue
            else { return nil }
            return displayRepresentation(a, b)
        }
    }

    /// Creates a title that needs three parameters.
    public init<A: _IntentValue, B: _IntentValue, C: _IntentValue>(
        parameters: (
            KeyPath<Intent, IntentParameter<A>>,
            KeyPath<Intent, IntentParameter<B>>,
            KeyPath<Intent, IntentParameter<C>>
        ),
        displayRepresentation: @escaping (A, B, C) -> DisplayRepresentation
    ) {
        title = { intent in
            guard let a = intent[keyPath: parameters.0].currentValue,
                let b = intent[keyPath: parameters.1].currentValue,
                let c = intent[keyPath: parameters.2].currentValue
            else { return nil }
            return displayRepresentation(a, b, c)
        }
    }

    /// Creates a title that needs four parameters.
    public init<A: _IntentValue, B: _IntentValue, C: _IntentValue, D: _IntentValue>(
        parameters: (
            KeyPath<Intent, IntentParameter<A>>,
            KeyPath<Intent, IntentParameter<B>>,
            KeyPath<Intent, IntentParameter<C>>,
            KeyPath<Intent, IntentParameter<D>>
        ),
        displayRepresentation: @escaping (A, B, C, D) -> DisplayRepresentation
    ) {
        title = { intent in
            guard let a = intent[keyPath: parameters.0].currentValue,
                let b = intent[keyPath: parameters.1].currentValue,
                let c = intent[keyPath: parameters.2].currentValue,
                let d = intent[keyPath: parameters.3].currentValue
            else { return nil }
            return displayRepresentation(a, b, c, d)
        }
    }

    /// Creates a title that needs five parameters.
    public init<A: _IntentValue, B: _IntentValue, C: _IntentValue, D: _IntentValue, E: _IntentValue>(
        parameters: (
            KeyPath<Intent, IntentParameter<A>>,
            KeyPath<Intent, IntentParameter<B>>,
            KeyPath<Intent, IntentParameter<C>>,
            KeyPath<Intent, IntentParameter<D>>,
            KeyPath<Intent, IntentParameter<E>>
        ),
        displayRepresentation: @escaping (A, B, C, D, E) -> DisplayRepresentation
    ) {
        title = { intent in
            guard let a = intent[keyPath: parameters.0].currentValue,
                let b = intent[keyPath: parameters.1].currentValue,
                let c = intent[keyPath: parameters.2].currentValue,
                let d = intent[keyPath: parameters.3].currentValue,
                let e = intent[keyPath: parameters.4].currentValue
            else { return nil }
            return displayRepresentation(a, b, c, d, e)
        }
    }

    /// Creates a title that needs six parameters.
    public init<A: _IntentValue, B: _IntentValue, C: _IntentValue, D: _IntentValue, E: _IntentValue, F: _IntentValue>(
        parameters: (
            KeyPath<Intent, IntentParameter<A>>,
            KeyPath<Intent, IntentParameter<B>>,
            KeyPath<Intent, IntentParameter<C>>,
            KeyPath<Intent, IntentParameter<D>>,
            KeyPath<Intent, IntentParameter<E>>,
            KeyPath<Intent, IntentParameter<F>>
        ),
        displayRepresentation: @escaping (A, B, C, D, E, F) -> DisplayRepresentation
    ) {
        title = { intent in
            guard let a = intent[keyPath: parameters.0].currentValue,
                let b = intent[keyPath: parameters.1].currentValue,
                let c = intent[keyPath: parameters.2].currentValue,
                let d = intent[keyPath: parameters.3].currentValue,
                let e = intent[keyPath: parameters.4].currentValue,
                let f = intent[keyPath: parameters.5].currentValue
            else { return nil }
            return displayRepresentation(a, b, c, d, e, f)
        }
    }

    /// Creates a title that needs seven parameters.
    public init<A: _IntentValue, B: _IntentValue, C: _IntentValue, D: _IntentValue, E: _IntentValue, F: _IntentValue, G: _IntentValue>(
        parameters: (
            KeyPath<Intent, IntentParameter<A>>,
            KeyPath<Intent, IntentParameter<B>>,
            KeyPath<Intent, IntentParameter<C>>,
            KeyPath<Intent, IntentParameter<D>>,
            KeyPath<Intent, IntentParameter<E>>,
            KeyPath<Intent, IntentParameter<F>>,
            KeyPath<Intent, IntentParameter<G>>
        ),
        displayRepresentation: @escaping (A, B, C, D, E, F, G) -> DisplayRepresentation
    ) {
        title = { intent in
            guard let a = intent[keyPath: parameters.0].currentValue,
                let b = intent[keyPath: parameters.1].currentValue,
                let c = intent[keyPath: parameters.2].currentValue,
                let d = intent[keyPath: parameters.3].currentValue,
                let e = intent[keyPath: parameters.4].currentValue,
                let f = intent[keyPath: parameters.5].currentValue,
                let g = intent[keyPath: parameters.6].currentValue
            else { return nil }
            return displayRepresentation(a, b, c, d, e, f, g)
        }
    }

    /// Creates a title that needs eight parameters.
    public init<A: _IntentValue, B: _IntentValue, C: _IntentValue, D: _IntentValue, E: _IntentValue, F: _IntentValue, G: _IntentValue, H: _IntentValue>(
        parameters: (
            KeyPath<Intent, IntentParameter<A>>,
            KeyPath<Intent, IntentParameter<B>>,
            KeyPath<Intent, IntentParameter<C>>,
            KeyPath<Intent, IntentParameter<D>>,
            KeyPath<Intent, IntentParameter<E>>,
            KeyPath<Intent, IntentParameter<F>>,
            KeyPath<Intent, IntentParameter<G>>,
            KeyPath<Intent, IntentParameter<H>>
        ),
        displayRepresentation: @escaping (A, B, C, D, E, F, G, H) -> DisplayRepresentation
    ) {
        title = { intent in
            guard let a = intent[keyPath: parameters.0].currentValue,
                let b = intent[keyPath: parameters.1].currentValue,
                let c = intent[keyPath: parameters.2].currentValue,
                let d = intent[keyPath: parameters.3].currentValue,
                let e = intent[keyPath: parameters.4].currentValue,
                let f = intent[keyPath: parameters.5].currentValue,
                let g = intent[keyPath: parameters.6].currentValue,
                let h = intent[keyPath: parameters.7].currentValue
            else { return nil }
            return displayRepresentation(a, b, c, d, e, f, g, h)
        }
    }
}
