public import Foundation

extension AttributedString: _IntentValue {
    /// A text.
    public static var _form: _IntentValueForm { .text }
    /// The characters, without their attributes.
    public var _content: _IntentValueContent { .text(String(characters)) }
    /// Returns the text without attributes.
    public static func _value(of content: _IntentValueContent) async throws -> AttributedString {
        AttributedString(content.summary)
    }
}
