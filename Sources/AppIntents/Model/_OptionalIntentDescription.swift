/// A description or none: an app may declare its intent's description with either type.
public protocol _OptionalIntentDescription: Sendable {
    /// The description; nil if the app gives none.
    var _description: IntentDescription? { get }
}
