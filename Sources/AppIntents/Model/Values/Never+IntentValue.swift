extension Never: _IntentValue {
    /// No value at all.
    public static var _form: _IntentValueForm { .nothing }
    /// Never called.
    public var _content: _IntentValueContent { .none }
    /// Throws: there is no such value.
    public static func _value(of content: _IntentValueContent) async throws -> Never {
        throw IntentValueError.wrongKind(expected: _form.name, value: content.summary)
    }
}
