/// A result with a value.
public protocol ReturnsValue<Value>: IntentResult where Value: _IntentValue {}
