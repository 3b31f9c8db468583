/// Several titles of an intent, of which the first that has its values is used.
public struct IntentPredictions: IntentPredictionConfiguration {
    let predictions: [any IntentPredictionConfiguration]

    /// Returns the first title that has its values.
    public func _title(of intent: any AppIntent) -> DisplayRepresentation? {
        predictions.lazy.compactMap { $0._title(of: intent) }.first
    }
}
