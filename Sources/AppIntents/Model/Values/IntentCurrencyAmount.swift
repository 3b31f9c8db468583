public import Foundation

/// An amount of money.
public struct IntentCurrencyAmount: Hashable, Sendable {
    /// The number.
    public var amount: Decimal
    /// The code of the currency, such as `EUR`.
    public var currencyCode: String

    /// Creates an amount.
    public init(amount: Decimal, currencyCode: String) {
        (self.amount, self.currencyCode) = (amount, currencyCode)
    }
}

extension IntentCurrencyAmount: _IntentValue {
    /// An amount of money.
    public static var _form: _IntentValueForm { .money }
    /// The number with the code.
    public var _content: _IntentValueContent { .money(amount, currency: currencyCode) }
    /// Returns the amount, also from a text such as `12.50 EUR`.
    public static func _value(of content: _IntentValueContent) async throws -> IntentCurrencyAmount {
        switch content {
        case .money(let amount, let currency):
            return IntentCurrencyAmount(amount: amount, currencyCode: currency)
        case .text(let text):
            let words = text.split(separator: " ")
            if words.count == 2, let amount = number(words[0]), words[1].wholeMatch(of: /[A-Za-z]{3}/) != nil
            {
                return IntentCurrencyAmount(amount: amount, currencyCode: words[1].uppercased())
            }
        default: break
        }
        throw IntentValueError.wrongKind(expected: _form.name, value: content.summary)
    }

    /// Reads a number of digits that may have a period; nil for any other text.
    ///
    /// `Decimal` alone reads only the beginning of a text: `12,50` would be 12.
    private static func number(_ text: Substring) -> Decimal? {
        guard text.wholeMatch(of: /[+-]?[0-9]+(\.[0-9]+)?/) != nil else { return nil }
        return Decimal(string: String(text))
    }
}
