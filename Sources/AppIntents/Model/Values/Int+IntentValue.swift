import Foundation

extension Int: _IntentValue {
    /// A whole number.
    public static var _form: _IntentValueForm { .integer }
    /// The number.
    public var _content: _IntentValueContent { .integer(self) }
    /// Returns the number, also from a text with one.
    public static func _value(of content: _IntentValueContent) async throws -> Int {
        switch content {
        case .integer(let number): return number
        case .real(let number):
            if let whole = Int(exactly: number) { return whole }
        case .text(let text):
            if let number = Int(text.trimmingCharacters(in: .whitespaces)) { return number }
        default: break
        }
        throw IntentValueError.wrongKind(expected: _form.name, value: content.summary)
    }
}
