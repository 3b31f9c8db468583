/// Several titles of an intent; the first one whose values are all set is used.
public struct IntentPredictions: IntentPredictionConfiguration {
    let predictions: [any IntentPredictionConfiguration]

    /// Returns the first title whose values are all set.
    public func _title(of intent: any AppIntent) -> DisplayRepresentation? {
        predictions.lazy.compactMap { $0._title(of: intent) }.first
    }
}
