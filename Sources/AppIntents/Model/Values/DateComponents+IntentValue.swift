public import Foundation

extension DateComponents: _IntentValue {
    /// The parts of a date.
    public static var _form: _IntentValueForm { .components }
    /// The parts.
    public var _content: _IntentValueContent { .components(self) }
    /// Returns the parts, also those of a date and of a text with a date or a time.
    public static func _value(of content: _IntentValueContent) async throws -> DateComponents {
        switch content {
        case .components(let components): return components
        case .date(let date): return DateText.components(of: date)
        case .text(let text):
            if let time = DateText.time(text) { return time }
            if let date = DateText.date(text) { return DateText.components(of: date) }
        default: break
        }
        throw IntentValueError.wrongKind(expected: _form.name, value: content.summary)
    }
}
