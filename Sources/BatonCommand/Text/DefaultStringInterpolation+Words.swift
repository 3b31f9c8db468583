/// Prevents Swift's own descriptions, such as `VisibleText(text: "a")`, from getting into texts for people.
///
/// In this module, only strings and types that are `CustomStringConvertible` may be interpolated. For any other type,
/// the compiler chooses this function, and its warning counts as an error.
extension DefaultStringInterpolation {
    @available(*, deprecated, message: "this type has no text for people; interpolate one of its properties")
    mutating func appendInterpolation<Value>(_ value: Value) { appendLiteral(String(describing: value)) }
}
