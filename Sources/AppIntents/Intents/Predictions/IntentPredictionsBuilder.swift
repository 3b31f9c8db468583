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
