import Foundation

extension Bool: _IntentValue {
    /// A truth value.
    public static var _form: _IntentValueForm { .flag }
    /// The truth value.
    public var _content: _IntentValueContent { .flag(self) }
    /// Returns the truth value, also from words such as `yes` and `off`.
    public static func _value(of content: _IntentValueContent) async throws -> Bool {
        switch content {
        case .flag(let isOn): return isOn
        case .integer(0): return false
        case .integer(1): return true
        case .text(let text):
            switch text.trimmingCharacters(in: .whitespaces).lowercased() {
            case "yes", "y", "true", "on", "1": return true
            case "no", "n", "false", "off", "0": return false
            default: break
            }
        default: break
        }
        throw IntentValueError.wrongKind(expected: _form.name, value: content.summary)
    }
}
