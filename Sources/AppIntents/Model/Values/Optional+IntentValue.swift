extension Optional: _IntentValue where Wrapped: _IntentValue {
    /// The type of the value itself.
    public typealias ValueType = Wrapped.ValueType
    /// The wrapped type.
    public typealias UnwrappedType = Wrapped

    /// A value or none.
    public static var _form: _IntentValueForm { .optional(Wrapped._form) }
    /// Nil as a value.
    public static var _absentValue: Wrapped?? { .some(.none) }
    /// The content of the wrapped value, or none.
    public var _content: _IntentValueContent { map(\._content) ?? .none }
    /// Returns nil for no content, else the wrapped value.
    public static func _value(of content: _IntentValueContent) async throws -> Wrapped? {
        content.isNone ? .none : .some(try await Wrapped._value(of: content))
    }
}
