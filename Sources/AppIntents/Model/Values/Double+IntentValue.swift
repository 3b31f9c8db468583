import Foundation

extension Double: _IntentValue {
    /// A number with a fraction.
    public static var _form: _IntentValueForm { .real }
    /// The number.
    public var _content: _IntentValueContent { .real(self) }
    /// Returns the number, also from a text with one.
    public static func _value(of content: _IntentValueContent) async throws -> Double {
        switch content {
        case .real(let number): return number
        case .integer(let number): return Double(number)
        case .text(let text):
            if let number = Double(text.trimmingCharacters(in: .whitespaces)), number.isFinite {
                return number
            }
        default: break
        }
        throw IntentValueError.wrongKind(expected: _form.name, value: content.summary)
    }
}
