public import Foundation

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

/// A value of an intent in the form in which it leaves the process.
public indirect enum _IntentValueContent: Hashable, Sendable, Codable {
    /// No value.
    case none
    /// A text, also one that a person typed and that stands for a value of another kind.
    case text(String)
    /// A whole number.
    case integer(Int)
    /// A number with a fraction.
    case real(Double)
    /// A truth value.
    case flag(Bool)
    /// A point in time.
    case date(Date)
    /// The parts of a date.
    case components(DateComponents)
    /// An address.
    case url(URL)
    /// A number with the symbol of its unit.
    case measurement(Double, unit: String)
    /// An amount of money with the code of its currency.
    case money(Decimal, currency: String)
    /// An entity: the name of its type and its identifier.
    case entity(type: String, identifier: String)
    /// A file.
    case file(name: String, type: String?, url: URL?, data: Data?)
    /// The values of a list.
    case list([_IntentValueContent])
}

extension _IntentValueContent {
    /// Whether this is no value.
    package var isNone: Bool { self == .none }

    /// The content for a person, for example in a list of choices.
    package var summary: String {
        switch self {
        case .none: ""
        case .text(let text): text
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .flag(let isOn): isOn ? "yes" : "no"
        case .date(let date): date.formatted(.iso8601)
        case .components(let components): components.date.map { $0.formatted(.iso8601) } ?? "\(components)"
        case .url(let url): url.absoluteString
        case .measurement(let number, let unit): "\(number) \(unit)"
        case .money(let amount, let currency): "\(amount) \(currency)"
        case .entity(_, let identifier): identifier
        case .file(let name, _, _, _): name
        case .list(let values): values.map(\.summary).joined(separator: ", ")
        }
    }
}
