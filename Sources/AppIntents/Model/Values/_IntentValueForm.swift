/// The kind of a value.
public indirect enum _IntentValueForm: Sendable {
    /// A text.
    case text
    /// A whole number.
    case integer
    /// A number with a fraction.
    case real
    /// A truth value.
    case flag
    /// A point in time.
    case date
    /// The parts of a date.
    case components
    /// An address.
    case url
    /// A number with a unit.
    case measurement
    /// An amount of money.
    case money
    /// A file.
    case file
    /// A person.
    case person
    /// A way to pay.
    case paymentMethod
    /// The identifier of an entity.
    case identifier
    /// A case of an enumeration.
    case choice(any AppEnum.Type)
    /// An entity.
    case entity(any AppEntity.Type)
    /// A value of one of several kinds.
    case union([_IntentValueForm])
    /// No value at all.
    case nothing
    /// A value or none.
    case optional(_IntentValueForm)
    /// A list of values.
    case list(_IntentValueForm)
}

extension _IntentValueForm {
    /// Whether a parameter of this kind may be left out.
    package var isOptional: Bool {
        if case .optional = self { true } else { false }
    }

    /// The word for the kind in messages and in an intent's usage.
    package var name: String {
        switch self {
        case .text: "text"
        case .integer: "whole number"
        case .real: "number"
        case .flag: "yes or no"
        case .date: "date"
        case .components: "date or time"
        case .url: "address"
        case .measurement: "measurement"
        case .money: "amount"
        case .file: "file"
        case .person: "person"
        case .paymentMethod: "payment method"
        case .identifier: "identifier"
        case .choice(let type): type.typeDisplayRepresentation.text
        case .entity(let type): type.typeDisplayRepresentation.text
        case .union(let forms): forms.map(\.name).joined(separator: " or ")
        case .nothing: "nothing"
        case .optional(let form): form.name
        case .list(let form): "list of \(form.name)"
        }
    }
}

extension _IntentValueForm {
    /// Whether the values are truth values, or none.
    var isFlag: Bool {
        switch self {
        case .flag: true
        case .optional(let form): form.isFlag
        default: false
        }
    }

    /// Whether there may be several values.
    var isList: Bool {
        switch self {
        case .list: true
        case .optional(let form): form.isList
        default: false
        }
    }

    /// The kind of a single value.
    var element: _IntentValueForm {
        switch self {
        case .optional(let form), .list(let form): form.element
        default: self
        }
    }
}
