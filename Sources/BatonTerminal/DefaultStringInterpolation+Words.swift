/// Keeps Swift's generated descriptions, such as `VisibleText(text: "a")`, out of texts for people.
///
/// This module may interpolate only strings, and types that conform to `CustomStringConvertible`. Any other value
/// selects this overload, and its deprecation warning is an error.
extension DefaultStringInterpolation {
    @available(*, deprecated, message: "this type has no text for people; interpolate one of its properties")
    mutating func appendInterpolation<Value>(_ value: Value) { appendLiteral(String(describing: value)) }
}
