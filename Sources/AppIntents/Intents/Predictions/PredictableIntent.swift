/// An intent that says how it is shown where the system suggests it.
@_alwaysEmitConformanceMetadata
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
