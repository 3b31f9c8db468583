/// Keeps Swift's own descriptions, such as `VisibleText(text: "a")`, out of texts for people.
///
/// Only strings and types with a description of their own (`CustomStringConvertible`) may be interpolated in this
/// module. Anything else calls this overload, and its deprecation warning is an error.
extension DefaultStringInterpolation {
    @available(*, deprecated, message: "this type has no text for people; interpolate one of its properties")
    mutating func appendInterpolation<Value>(_ value: Value) { appendLiteral(String(describing: value)) }
}
