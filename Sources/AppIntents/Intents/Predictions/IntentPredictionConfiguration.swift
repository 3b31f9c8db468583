/// The titles of an intent.
public protocol IntentPredictionConfiguration {
    /// Returns the title of an intent; nil if a parameter that it needs has no value.
    func _title(of intent: any AppIntent) -> DisplayRepresentation?
}
