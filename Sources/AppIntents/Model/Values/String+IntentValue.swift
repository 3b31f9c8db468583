extension String: _IntentValue {
    /// A text.
    public static var _form: _IntentValueForm { .text }
    /// The text.
    public var _content: _IntentValueContent { .text(self) }
    /// Returns the text, or the text of another value.
    public static func _value(of content: _IntentValueContent) async throws -> String { content.summary }
}
