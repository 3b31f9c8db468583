/// A value that an activity may carry, as on Apple's systems.
///
/// Integers, reals and booleans are distinct types.
///
/// Two values are equal if their encodings are.
package enum PropertyValue: Sendable {
    case string(String)
    case integer(Int64)
    case real(Double)
    case boolean(Bool)
    case data([UInt8])
    /// Seconds since 1970.
    case date(Double)
    case url(String)
    case uuid([UInt8])
    case null
    case array([PropertyValue])
    case set(Set<PropertyValue>)
    case dictionary([PropertyValue: PropertyValue])
}

extension PropertyValue {
    /// The pairs, if this is a dictionary.
    package var pairs: [PropertyValue: PropertyValue]? {
        if case .dictionary(let pairs) = self { pairs } else { nil }
    }

    /// The members, if this is a set.
    package var members: Set<PropertyValue>? {
        if case .set(let members) = self { members } else { nil }
    }

    /// The text, if this is a string.
    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
