import Foundation

// Values of the standard library.

extension String: _IntentValue {
    /// A text.
    public static var _form: _IntentValueForm { .text }
    /// The text.
    public var _content: _IntentValueContent { .text(self) }
    /// Returns the text, or the text of another value.
    public static func _value(of content: _IntentValueContent) async throws -> String { content.summary }
}

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
            if let number = Double(text.trimmingCharacters(in: .whitespaces)), number.isFinite { return number }
        default: break
        }
        throw IntentValueError.wrongKind(expected: _form.name, value: content.summary)
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

extension Optional: _IntentValue where Wrapped: _IntentValue {
    /// The type of the value itself.
    public typealias ValueType = Wrapped.ValueType
    /// The wrapped type.
    public typealias UnwrappedType = Wrapped

    /// A value or none.
    public static var _form: _IntentValueForm { .optional(Wrapped._form) }
    /// Nil as a value.
    public static var _absentValue: Wrapped?? { .some(.none) }
    /// The content of the wrapped value, or none.
    public var _content: _IntentValueContent { map(\._content) ?? .none }
    /// Returns nil for no content, else the wrapped value.
    public static func _value(of content: _IntentValueContent) async throws -> Wrapped? {
        content.isNone ? .none : .some(try await Wrapped._value(of: content))
    }
}

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

extension Set: _IntentValue where Element: _IntentValue {
    /// The type of the elements' values.
    public typealias ValueType = Element.ValueType

    /// A list of values.
    public static var _form: _IntentValueForm { .list(Element._form) }
    /// The contents of the elements, in no particular order.
    public var _content: _IntentValueContent { .list(map(\._content)) }
    /// Returns the values without repetition.
    public static func _value(of content: _IntentValueContent) async throws -> Set<Element> {
        Set(try await [Element]._value(of: content))
    }
}

extension _IntentValueContent {
    /// The elements of a list, or the value as the only element.
    package var elements: [_IntentValueContent] {
        switch self {
        case .list(let elements): elements
        case .none: []
        default: [self]
        }
    }
}
