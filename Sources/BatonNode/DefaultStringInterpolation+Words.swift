/// Keeps Swift's own descriptions out of text for people, such as `VisibleText(text: "a")`.
///
/// In this module, only text and types with a text of their own (`CustomStringConvertible`) may be interpolated.
/// Everything else resolves to this overload, and its warning counts as an error.
extension DefaultStringInterpolation {
    @available(*, deprecated, message: "this type has no text for people; interpolate one of its properties")
    mutating func appendInterpolation<Value>(_ value: Value) { appendLiteral(String(describing: value)) }

    /// Accepts an error of any type; the errors that are thrown here all describe themselves.
    mutating func appendInterpolation(_ error: any Error) { appendLiteral(String(describing: error)) }
}
