import BatonCore

/// Explains why a search shows an ended activity, or why it does not.
struct ActivityExplanation {
    let identifier: String
    var explanation: SearchExplanation
    /// The names by which the activity is joined with results about the same thing; nil if the activity was deleted.
    let names: ThingNames?

    /// Explains a deleted activity.
    init(deleted identity: RecordIdentity) {
        (identifier, names) = (identity.hash.description, nil)
        explanation = SearchExplanation(.deleted)
    }

    /// Explains an activity for a search for these words.
    ///
    /// `inMemory` is nil if there was no room for the activity in memory.
    init(
        _ name: SavedActivityName, _ activity: Activity, _ inMemory: SearchedActivity?, words: String?,
        at now: WallTime, in scope: SearchScope
    ) {
        let identity = name.key.identity
        (identifier, names) = (identity.hash.description, ThingNames(name, activity))
        explanation = SearchExplanation(.shown, title: activity.title, app: name.app)
        if activity.isExpired(at: now) {
            explanation.outcome = .expired
        } else if !activity.eligibility.contains(.search) {
            explanation.outcome = .ineligible
        } else if scope.dismissals.hide(identity, activity) {
            explanation.outcome = .hidden
        } else if scope.appsOff.contains(name.app) {
            explanation.outcome = .appOff
        } else if SearchText(activity) == nil {
            explanation.outcome = .wordless
        } else if let inMemory {
            if let words { explanation.findMissing(words, in: inMemory.text) }
        } else {
            explanation.outcome = .leftOut
        }
    }
}
