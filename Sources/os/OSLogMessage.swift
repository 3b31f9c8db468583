/// A message of the log: words, which anyone may read, and values, each with its privacy.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    /// The parts, in order.
    private let parts: [OSLogInterpolation.Part]

    /// Creates a message of words.
    public init(stringLiteral value: String) { parts = [.words(value)] }

    /// Creates a message with values.
    public init(stringInterpolation: OSLogInterpolation) { parts = stringInterpolation.parts }

    /// Creates a message from its parts.
    init(parts: [OSLogInterpolation.Part]) { self.parts = parts }

    /// Returns the message as it is written.
    package func text(showsPrivate: Bool) -> String {
        parts.map { part in
            switch part {
            case .words(let words): words
            case .value(let text, let isPublic, let privacy):
                privacy.text(of: text, isPublic: isPublic, showsPrivate: showsPrivate)
            }
        }.joined()
    }
}

/// The rule that says whether a value of a message is shown.
public struct OSLogPrivacy: Equatable, Sendable {
    private enum Rule { case automatic, open, hidden, secret }

    /// The text that is written instead of a hidden value.
    public struct Mask: Equatable, Sendable {
        fileprivate let isHash: Bool
        /// A hash, by which equal values of one process can be recognized.
        public static var hash: Mask { Mask(isHash: true) }
        /// Nothing of the value.
        public static var none: Mask { Mask(isHash: false) }
    }

    private let rule: Rule
    private let mask: Mask

    /// Numbers, yes-or-no values and names of types are shown, and all other values are hidden.
    public static var auto: OSLogPrivacy { OSLogPrivacy(rule: .automatic, mask: .none) }
    /// Numbers, yes-or-no values and names of types are shown, and all other values are masked.
    public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(rule: .automatic, mask: mask) }
    /// The value is shown.
    public static var `public`: OSLogPrivacy { OSLogPrivacy(rule: .open, mask: .none) }
    /// The value is hidden.
    public static var `private`: OSLogPrivacy { OSLogPrivacy(rule: .hidden, mask: .none) }
    /// The value is masked.
    public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(rule: .hidden, mask: mask) }
    /// The value is hidden, even if private values are shown.
    public static var sensitive: OSLogPrivacy { OSLogPrivacy(rule: .secret, mask: .none) }
    /// The value is masked, even if private values are shown.
    public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(rule: .secret, mask: mask) }

    /// Returns the text that is written for a value; `isPublic` is the rule for its type if `rule` is automatic.
    func text(of text: String, isPublic: Bool, showsPrivate: Bool) -> String {
        let isShown =
            switch rule {
            case .automatic: isPublic || showsPrivate
            case .open: true
            case .hidden: showsPrivate
            case .secret: false
            }
        if isShown { return text }
        // Each process has a key of its own for its hashes.
        return mask.isHash
            ? "<mask.hash: '\(String(UInt(bitPattern: text.hashValue), radix: 16))'>" : "<private>"
    }
}

/// Collects the parts of a message.
public struct OSLogInterpolation: StringInterpolationProtocol {
    /// Words of the code, or a value and whether its type is public.
    enum Part: Sendable {
        case words(String)
        case value(String, isPublic: Bool, OSLogPrivacy)
    }

    var parts: [Part] = []

    /// Creates a message without parts.
    public init(literalCapacity: Int, interpolationCount: Int) {
        parts.reserveCapacity(2 * interpolationCount + 1)
    }

    /// Appends words.
    public mutating func appendLiteral(_ literal: String) { parts.append(.words(literal)) }

    /// Appends a text, which is private unless it is said to be public.
    public mutating func appendInterpolation(
        _ value: String, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) { parts.append(.value(align.text(value), isPublic: false, privacy)) }

    /// Appends a description, which is private unless it is said to be public.
    ///
    /// Disfavoured because numbers have descriptions, too, and are public.
    @_disfavoredOverload
    public mutating func appendInterpolation<Value: CustomStringConvertible>(
        _ value: Value, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) { parts.append(.value(align.text(value.description), isPublic: false, privacy)) }

    /// Appends an error, which is private unless it is said to be public.
    @_disfavoredOverload
    public mutating func appendInterpolation(_ error: (any Error)?, privacy: OSLogPrivacy = .auto) {
        parts.append(.value(error.map { "\($0)" } ?? "nil", isPublic: false, privacy))
    }

    /// Appends the name of a type.
    public mutating func appendInterpolation(
        _ type: Any.Type, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) { parts.append(.value(align.text(String(reflecting: type)), isPublic: true, privacy)) }

    /// Appends a whole number.
    public mutating func appendInterpolation<Value: FixedWidthInteger>(
        _ number: Value, format: OSLogIntegerFormatting = .decimal, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) { parts.append(.value(align.text(format.text(number)), isPublic: true, privacy)) }

    /// Appends a number.
    public mutating func appendInterpolation(
        _ number: Double, format: OSLogFloatFormatting = .fixed, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) { parts.append(.value(align.text(format.text(number)), isPublic: true, privacy)) }

    /// Appends a number.
    public mutating func appendInterpolation(
        _ number: Float, format: OSLogFloatFormatting = .fixed, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) { parts.append(.value(align.text(format.text(Double(number))), isPublic: true, privacy)) }

    /// Appends a choice of yes or no.
    public mutating func appendInterpolation(
        _ choice: Bool, format: OSLogBoolFormat = .truth, privacy: OSLogPrivacy = .auto
    ) { parts.append(.value(format.text(choice), isPublic: true, privacy)) }
}
