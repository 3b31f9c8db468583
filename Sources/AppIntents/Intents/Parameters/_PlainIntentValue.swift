/// A kind of value whose parameters have no labels of their own.
public protocol _PlainIntentValue: _IntentValue {}
