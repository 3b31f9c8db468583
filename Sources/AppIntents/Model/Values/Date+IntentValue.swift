public import Foundation

extension Date: _IntentValue {
    /// A point in time.
    public static var _form: _IntentValueForm { .date }
    /// The date.
    public var _content: _IntentValueContent { .date(self) }
    /// Returns the date, also from a text as ISO 8601 writes dates.
    public static func _value(of content: _IntentValueContent) async throws -> Date {
        switch content {
        case .date(let date): return date
        case .components(let components):
            if let date = Calendar.current.date(from: components) { return date }
        case .text(let text):
            if let date = DateText.date(text) { return date }
        default: break
        }
        throw IntentValueError.wrongKind(expected: _form.name, value: content.summary)
    }
}
