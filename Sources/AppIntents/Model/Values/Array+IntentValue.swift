extension Array: _IntentValue where Element: _IntentValue {
    /// The type of the elements' values.
    public typealias ValueType = Element.ValueType

    /// A list of values.
    public static var _form: _IntentValueForm { .list(Element._form) }
    /// The contents of the elements.
    public var _content: _IntentValueContent { .list(map(\._content)) }
    /// Returns the list, or a list with the only value.
    public static func _value(of content: _IntentValueContent) async throws -> [Element] {
        var values: [Element] = []
        for element in content.elements { values.append(try await Element._value(of: element)) }
        return values
    }
}
