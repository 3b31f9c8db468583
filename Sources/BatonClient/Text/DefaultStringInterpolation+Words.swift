/// Keeps Swift's own descriptions out of what people read, such as `VisibleText(text: "a")`.
///
/// Only what is a text, or has one of its own (`CustomStringConvertible`), may stand in a text of this module. All else
/// gets here, and a warning is an error.
extension DefaultStringInterpolation {
    @available(*, deprecated, message: "this has no words for a person; say which of its parts is meant")
    mutating func appendInterpolation<Value>(_ value: Value) { appendLiteral(String(describing: value)) }
}
