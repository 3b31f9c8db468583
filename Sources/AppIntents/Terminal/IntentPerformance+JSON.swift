import BatonClient
import Foundation

extension IntentPerformer.Performance {
    /// The outcome as `APP intents run --json` and `baton run --json` print it.
    var json: JSON {
        .object([
            .init("intents", .array(intents.map { .string($0) })),
            .init("value", value?.json ?? .null), .init("title", JSON(valueTitle)),
            .init("dialogs", .array(dialogs.map { .string($0) })),
            .init("foreground", .boolean(isInForeground)),
        ])
    }
}

extension _IntentValueContent {
    /// The value as JSON; an object with one key stands for a value of which JSON has no form.
    var json: JSON {
        switch self {
        case .none: .null
        case .text(let text): .string(text)
        case .integer(let number): .integer(Int64(number))
        case .real(let number):
            number.isFinite ? .real(number) : .object([.init("$real", .string("\(number)".lowercased()))])
        case .flag(let isOn): .boolean(isOn)
        case .date(let date): .object([.init("$date", .string(Self.text(of: date)))])
        case .components(let components): .object([.init("$components", Self.json(of: components))])
        case .url(let url): .object([.init("$url", .string(url.absoluteString))])
        case .measurement(let number, let unit):
            .object([
                .init(
                    "$measurement",
                    .object([.init("value", Self.real(number).json), .init("unit", .string(unit))]))
            ])
        case .money(let amount, let currency):
            // A text, because a binary number would change the amount.
            .object([
                .init(
                    "$money",
                    .object([.init("amount", .string("\(amount)")), .init("currency", .string(currency))]))
            ])
        case .entity(let type, let identifier):
            .object([
                .init("$entity", .object([.init("type", .string(type)), .init("id", .string(identifier))]))
            ])
        case .file(let name, let type, let url, let data):
            .object([
                .init(
                    "$file",
                    .object([
                        .init("name", .string(name)), .init("type", JSON(type)),
                        .init("url", JSON(url?.absoluteString)),
                        .init("data", JSON(data?.base64EncodedString())),
                    ]))
            ])
        case .list(let values): .array(values.map(\.json))
        }
    }

    /// Returns a date in universal time with milliseconds, as all output of Baton has it.
    private static func text(of date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// Returns the parts of a date that are there, in the order of their size.
    private static func json(of components: DateComponents) -> JSON {
        let parts: [(String, Int?)] = [
            ("year", components.year), ("month", components.month), ("day", components.day),
            ("hour", components.hour), ("minute", components.minute), ("second", components.second),
        ]
        return .object(parts.compactMap { name, value in value.map { .init(name, .integer(Int64($0))) } })
    }
}
