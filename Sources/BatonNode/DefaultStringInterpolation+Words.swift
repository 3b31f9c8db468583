/// Keeps Swift's own descriptions of values out of text for people. For example, `VisibleText(text: "a")` is such a
/// description.
///
/// In this module, only text and types with a description of their own (`CustomStringConvertible`) may be interpolated.
/// For all other types, Swift chooses this overload. It is deprecated, and its warning counts as an error.
extension DefaultStringInterpolation {
    @available(*, deprecated, message: "this type has no text for people; interpolate one of its properties")
    mutating func appendInterpolation<Value>(_ value: Value) { appendLiteral(String(describing: value)) }

    /// Accepts an error of any type.
    ///
    /// All errors that are thrown in this module describe themselves.
    mutating func appendInterpolation(_ error: any Error) { appendLiteral(String(describing: error)) }
}
