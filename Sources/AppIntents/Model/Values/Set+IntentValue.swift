extension Set: _IntentValue where Element: _IntentValue {
    /// The type of the elements' values.
    public typealias ValueType = Element.ValueType

    /// A list of values.
    public static var _form: _IntentValueForm { .list(Element._form) }
    /// The contents of the elements, in no particular order.
    public var _content: _IntentValueContent { .list(map(\._content)) }
    /// Returns the values without repetition.
    public static func _value(of content: _IntentValueContent) async throws -> Set<Element> {
        Set(try await [Element]._value(of: content))
    }
}
