/// A value that a parameter can't have.
package enum IntentValueError: Error, Hashable, Sendable {
    /// The value is of another kind.
    case wrongKind(expected: String, value: String)
    /// No case of the enumeration has this name.
    case unknownCase(String, known: [String])
    /// The app's query returns no entity with this identifier.
    case noEntity(type: String, identifier: String)
    /// Several entities fit the text.
    case severalEntities(type: String, text: String, titles: [String])
    /// The number is outside of the parameter's range.
    case outOfRange(value: String, least: String, greatest: String)
    /// The number is less than zero, which the parameter does not allow.
    case negative(String)
    /// The parameter needs a value and nobody can be asked.
    case missing(parameter: String)
}

extension IntentValueError {
    /// Whether an error says that a value does not fit a type, so that another type may be tried.
    ///
    /// Unions throw `entityNotFound` for a value that fits none of their cases.
    static func isMismatch(_ error: any Error) -> Bool {
        error is IntentValueError || error as? AppIntentError.Unrecoverable == .entityNotFound
    }
}

extension IntentValueError: CustomStringConvertible {
    /// The error in words, with a way out.
    package var description: String {
        switch self {
        case .wrongKind(let expected, let value): "“\(value)” is not a \(expected)."
        case .unknownCase(let name, let known):
            "Unknown value “\(name)”. Use one of: \(known.joined(separator: ", "))."
        case .noEntity(let type, let identifier): "There is no \(type) “\(identifier)”."
        case .severalEntities(let type, let text, let titles):
            "Several entities of type \(type) fit “\(text)”: \(titles.joined(separator: ", ")). Name one of them."
        case .outOfRange(let value, let least, let greatest):
            "\(value) is out of range. Use a value from \(least) to \(greatest)."
        case .negative(let value): "\(value) is less than zero. Use zero or more."
        case .missing(let parameter): "No value for “\(parameter)”. Add --\(parameter) VALUE."
        }
    }
}
