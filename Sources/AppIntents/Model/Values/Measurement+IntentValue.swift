public import Foundation

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
        guard number.isFinite else {
            throw IntentValueError.wrongKind(expected: _form.name, value: content.summary)
        }
        let unit = symbol.flatMap { MeasurementUnits.unit($0, like: UnitType.baseUnit()) }
        guard let unit = (unit ?? (symbol == nil ? UnitType.baseUnit() : nil)) as? UnitType else {
            throw IntentValueError.wrongKind(expected: _form.name, value: content.summary)
        }
        return Measurement(value: number, unit: unit)
    }
}

extension Measurement: _MeasurementIntentValue where UnitType: Dimension {}
