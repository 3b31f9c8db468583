/// A value in a message of a bus.
package indirect enum BusValue: Hashable, Sendable {
    case text(String)
    /// The path of an object.
    case path(String)
    case flag(Bool)
    case signed32(Int32)
    case unsigned32(UInt32)
    case unsigned64(UInt64)
    /// A value with its own signature.
    case variant(BusValue)
    case structure([BusValue])
    /// A list whose elements have this signature.
    case list([BusValue], of: String)
    /// A key with its value, as an element of a list.
    case entry(BusValue, BusValue)

    /// The signature, as D-Bus writes types.
    package var signature: String {
        switch self {
        case .text: "s"
        case .path: "o"
        case .flag: "b"
        case .signed32: "i"
        case .unsigned32: "u"
        case .unsigned64: "t"
        case .variant: "v"
        case .structure(let values): "(" + values.map(\.signature).joined() + ")"
        case .list(_, let element): "a" + element
        case .entry(let key, let value): "{" + key.signature + value.signature + "}"
        }
    }

    /// Returns a dictionary of variants, as most services take details.
    package static func details(_ details: [(String, BusValue)]) -> BusValue {
        .list(details.map { .entry(.text($0.0), .variant($0.1)) }, of: "{sv}")
    }

    /// The text, or the path of an object; nil for other values.
    package var text: String? {
        switch self {
        case .text(let text), .path(let text): text
        default: nil
        }
    }

    /// The truth value; nil for other values.
    package var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }

    /// The number; nil for other values.
    package var number: UInt32? { if case .unsigned32(let number) = self { number } else { nil } }

    /// The values of a structure or list; nil for other values.
    package var parts: [BusValue]? {
        switch self {
        case .structure(let values), .list(let values, _): values
        default: nil
        }
    }

    /// The value in a variant; the value itself if it is none.
    package var unwrapped: BusValue { if case .variant(let value) = self { value.unwrapped } else { self } }

    /// Returns the value of a key in a list of entries; nil if there is none.
    package subscript(key: String) -> BusValue? {
        for case .entry(.text(key), let value) in parts ?? [] { return value.unwrapped }
        return nil
    }
}
