import Foundation

extension Bool {
    /// Creates the truth value that a word stands for; nil for other words.
    init?(word: String) {
        switch word.lowercased() {
        case "yes", "y", "true", "on", "1": self = true
        case "no", "n", "false", "off", "0": self = false
        default: return nil
        }
    }
}

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
            if let isOn = Bool(word: text.trimmingCharacters(in: .whitespaces)) { return isOn }
        default: break
        }
        throw IntentValueError.wrongKind(expected: _form.name, value: content.summary)
    }
}
