/// A log message: words, which are public, and values, each of which has its own privacy.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    /// The parts of the message, in their order.
    private let parts: [OSLogInterpolation.Part]

    /// Creates a message that consists only of words.
    public init(stringLiteral value: String) { parts = [.words(value)] }

    /// Creates a message that contains values.
    public init(stringInterpolation: OSLogInterpolation) { parts = stringInterpolation.parts }

    /// Creates a message from its parts.
    init(parts: [OSLogInterpolation.Part]) { self.parts = parts }

    /// Returns the text of the message; private values are hidden unless `showsPrivate` is true.
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

/// A rule that decides whether a value in a message is shown.
public struct OSLogPrivacy: Equatable, Sendable {
    private enum Rule { case automatic, open, hidden, secret }

    /// The text that is written instead of a hidden value.
    public struct Mask: Equatable, Sendable {
        fileprivate let isHash: Bool
        /// A hash of the value, by which equal values can be recognized within one process.
        public static var hash: Mask { Mask(isHash: true) }
        /// A text that is the same for all values.
        public static var none: Mask { Mask(isHash: false) }
    }

    private let rule: Rule
    private let mask: Mask

    /// Numbers, Booleans and names of types are shown, and all other values are hidden.
    public static var auto: OSLogPrivacy { OSLogPrivacy(rule: .automatic, mask: .none) }
    /// Numbers, Booleans and names of types are shown, and all other values are replaced by the mask.
    public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(rule: .automatic, mask: mask) }
    /// The value is shown.
    public static var `public`: OSLogPrivacy { OSLogPrivacy(rule: .open, mask: .none) }
    /// The value is hidden.
    public static var `private`: OSLogPrivacy { OSLogPrivacy(rule: .hidden, mask: .none) }
    /// The value is replaced by the mask.
    public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(rule: .hidden, mask: mask) }
    /// The value is hidden, even if private values are shown.
    public static var sensitive: OSLogPrivacy { OSLogPrivacy(rule: .secret, mask: .none) }
    /// The value is replaced by the mask, even if private values are shown.
    public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(rule: .secret, mask: mask) }

    /// Returns the text that is written for a value.
    ///
    /// `isPublic` says whether values of this type are shown by the automatic rule.
    func text(of text: String, isPublic: Bool, showsPrivate: Bool) -> String {
        let isShown =
            switch rule {
            case .automatic: isPublic || showsPrivate
            case .open: true
            case .hidden: showsPrivate
            case .secret: false
            }
        if isShown { return text }
        // The hash values of strings depend on a random key of the process.
        return mask.isHash
            ? "<mask.hash: '\(String(UInt(bitPattern: text.hashValue), radix: 16))'>" : "<private>"
    }
}

/// Collects the words and the values of a message.
public struct OSLogInterpolation: StringInterpolationProtocol {
    /// Words of the message, or a value; `isPublic` says whether values of this type are public.
    enum Part: Sendable {
        case words(String)
        case value(String, isPublic: Bool, OSLogPrivacy)
    }

    var parts: [Part] = []

    /// Creates a collector without parts.
    public init(literalCapacity: Int, interpolationCount: Int) {
        parts.reserveCapacity(2 * interpolationCount + 1)
    }

    /// Appends words.
    public mutating func appendLiteral(_ literal: String) { parts.append(.words(literal)) }

    /// Appends a text, which is private unless the caller makes it public.
    public mutating func appendInterpolation(
        _ value: String, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) { parts.append(.value(align.text(value), isPublic: false, privacy)) }

    /// Appends the description of a value, which is private unless the caller makes it public.
    ///
    /// This method is disfavoured because numbers also have descriptions, but numbers are public.
    @_disfavoredOverload
    public mutating func appendInterpolation<Value: CustomStringConvertible>(
        _ value: Value, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) { parts.append(.value(align.text(value.description), isPublic: false, privacy)) }

    /// Appends an error, which is private unless the caller makes it public.
    @_disfavoredOverload
    public mutating func appendInterpolation(_ error: (any Error)?, privacy: OSLogPrivacy = .auto) {
        parts.append(.value(error.map { "\($0)" } ?? "nil", isPublic: false, privacy))
    }

    /// Appends the name of a type, which is public.
    public mutating func appendInterpolation(
        _ type: Any.Type, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) { parts.append(.value(align.text(String(reflecting: type)), isPublic: true, privacy)) }

    /// Appends an integer, which is public unless the caller makes it private.
    public mutating func appendInterpolation<Value: FixedWidthInteger>(
        _ number: Value, format: OSLogIntegerFormatting = .decimal, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) { parts.append(.value(align.text(format.text(number)), isPublic: true, privacy)) }

    /// Appends a number, which is public unless the caller makes it private.
    public mutating func appendInterpolation(
        _ number: Double, format: OSLogFloatFormatting = .fixed, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) { parts.append(.value(align.text(format.text(number)), isPublic: true, privacy)) }

    /// Appends a number, which is public unless the caller makes it private.
    public mutating func appendInterpolation(
        _ number: Float, format: OSLogFloatFormatting = .fixed, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) { parts.append(.value(align.text(format.text(Double(number))), isPublic: true, privacy)) }

    /// Appends a Boolean, which is public unless the caller makes it private.
    public mutating func appendInterpolation(
        _ choice: Bool, format: OSLogBoolFormat = .truth, privacy: OSLogPrivacy = .auto
    ) { parts.append(.value(format.text(choice), isPublic: true, privacy)) }
}
