/// Keeps Swift's own descriptions, such as `VisibleText(text: "a")`, out of texts for people.
///
/// Only strings and types with a description of their own (`CustomStringConvertible`) may be interpolated in this
/// module. Anything else gets here, and the warning is an error.
extension DefaultStringInterpolation {
    @available(*, deprecated, message: "this has no words for a person; say which of its parts is meant")
    mutating func appendInterpolation<Value>(_ value: Value) { appendLiteral(String(describing: value)) }
}
