public import Foundation

// Values of Foundation.

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

/// Reads dates as people write them in a shell.
private enum DateText {
    /// Reads `2026-03-01`, `2026-03-01 14:30`, `14:30`, or a date of ISO 8601 with a zone.
    static func date(_ text: String) -> Date? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if let date = try? Date(text, strategy: .iso8601) { return date }
        if let time = time(text) {
            let today = Calendar.current.dateComponents([.year, .month, .day], from: Date())
            var components = time
            (components.year, components.month, components.day) = (today.year, today.month, today.day)
            return Calendar.current.date(from: components)
        }
        let words = text.replacing("T", with: " ").split(separator: " ")
        guard let first = words.first, words.count <= 2 else { return nil }
        let numbers = first.split(separator: "-").compactMap { Int($0) }
        guard numbers.count == 3, (1...12).contains(numbers[1]), (1...31).contains(numbers[2]) else { return nil }
        var components = DateComponents()
        (components.year, components.month, components.day) = (numbers[0], numbers[1], numbers[2])
        if words.count == 2 {
            guard let time = time(String(words[1])) else { return nil }
            (components.hour, components.minute, components.second) = (time.hour, time.minute, time.second)
        }
        return Calendar.current.date(from: components)
    }

    /// Reads `14:30` or `14:30:05`.
    static func time(_ text: String) -> DateComponents? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int($0) }
        guard (2...3).contains(parts.count), numbers.count == parts.count, (0..<24).contains(numbers[0]),
            numbers.dropFirst().allSatisfy((0..<60).contains)
        else { return nil }
        return DateComponents(
            hour: numbers[0], minute: numbers[1], second: numbers.count == 3 ? numbers[2] : nil)
    }

    /// Returns the parts of a date in the person's calendar.
    static func components(of date: Date) -> DateComponents {
        Calendar.current.dateComponents(
            [.calendar, .timeZone, .year, .month, .day, .hour, .minute, .second], from: date)
    }
}

extension URL: _IntentValue {
    /// An address.
    public static var _form: _IntentValueForm { .url }
    /// The address.
    public var _content: _IntentValueContent { .url(self) }
    /// Returns the address, also from a text with one or from the path of a file.
    public static func _value(of content: _IntentValueContent) async throws -> URL {
        switch content {
        case .url(let url): return url
        case .file(_, _, let url?, _): return url
        case .text(let text):
            if text.hasPrefix("/") || text.hasPrefix("./") { return URL(fileURLWithPath: text) }
            if let url = URL(string: text), url.scheme != nil { return url }
        default: break
        }
        throw IntentValueError.wrongKind(expected: _form.name, value: content.summary)
    }
}

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

extension Measurement: _IntentValue where UnitType: Dimension {
    /// A number with a unit.
    public static var _form: _IntentValueForm { .measurement }
    /// The number with the symbol of the unit.
    public var _content: _IntentValueContent { .measurement(value, unit: unit.symbol) }
    /// Returns the measurement, also from a text such as `3.5 km`; without a symbol the unit is the base unit.
    public static func _value(of content: _IntentValueContent) async throws -> Measurement<UnitType> {
        let (number, symbol): (Double, String?)
        switch content {
        case .measurement(let value, let unit): (number, symbol) = (value, unit)
        case .integer(let value): (number, symbol) = (Double(value), nil)
        case .real(let value): (number, symbol) = (value, nil)
        case .text(let text):
            let words = text.split(separator: " ", maxSplits: 1)
            guard let first = words.first, let value = Double(first) else {
                throw IntentValueError.wrongKind(expected: _form.name, value: text)
            }
            (number, symbol) = (value, words.count == 2 ? String(words[1]) : nil)
        default: throw IntentValueError.wrongKind(expected: _form.name, value: content.summary)
        }
        let unit = symbol.flatMap { MeasurementUnits.unit($0, like: UnitType.baseUnit()) }
        guard let unit = (unit ?? (symbol == nil ? UnitType.baseUnit() : nil)) as? UnitType else {
            throw IntentValueError.wrongKind(expected: _form.name, value: content.summary)
        }
        return Measurement(value: number, unit: unit)
    }
}

/// A measurement, for the initialisers of its parameters.
public protocol _MeasurementIntentValue: _IntentValue {
    /// The kind of unit.
    associatedtype UnitType: Dimension
}

extension Measurement: _MeasurementIntentValue where UnitType: Dimension {}
