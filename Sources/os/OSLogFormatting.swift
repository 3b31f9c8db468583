import Glibc

/// The alignment of a value in a column.
public struct OSLogStringAlignment: Sendable {
    private let columns: Int
    private let isRight: Bool

    /// No alignment: the value has no padding.
    public static var none: OSLogStringAlignment { OSLogStringAlignment(columns: 0, isRight: false) }
    /// The value is on the left of a column of this width.
    public static func left(columns: Int) -> OSLogStringAlignment {
        OSLogStringAlignment(columns: columns, isRight: false)
    }
    /// The value is on the right of a column of this width.
    public static func right(columns: Int) -> OSLogStringAlignment {
        OSLogStringAlignment(columns: columns, isRight: true)
    }

    func text(_ text: String) -> String {
        let space = String(repeating: " ", count: max(0, columns - text.count))
        return isRight ? space + text : text + space
    }
}

/// The form of a whole number.
public struct OSLogIntegerFormatting: Sendable {
    private var radix = 10
    private var prefix = ""
    private var hasSign = false
    private var isUppercase = false
    private var minDigits = 1

    /// The number in base 10.
    public static var decimal: OSLogIntegerFormatting { OSLogIntegerFormatting() }
    /// The number in base 10.
    public static func decimal(explicitPositiveSign: Bool = false, minDigits: Int = 1)
        -> OSLogIntegerFormatting
    {
        OSLogIntegerFormatting(hasSign: explicitPositiveSign, minDigits: minDigits)
    }
    /// The number in base 16.
    public static var hex: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 16) }
    /// The number in base 16.
    public static func hex(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
        minDigits: Int = 1
    ) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(
            radix: 16, prefix: includePrefix ? "0x" : "", hasSign: explicitPositiveSign,
            isUppercase: uppercase, minDigits: minDigits)
    }
    /// The number in base 8.
    public static var octal: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 8) }
    /// The number in base 8.
    public static func octal(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
        minDigits: Int = 1
    ) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(
            radix: 8, prefix: includePrefix ? "0o" : "", hasSign: explicitPositiveSign,
            isUppercase: uppercase, minDigits: minDigits)
    }

    func text(_ number: some FixedWidthInteger) -> String {
        let digits = String(number.magnitude, radix: radix, uppercase: isUppercase)
        let zeros = String(repeating: "0", count: max(0, minDigits - digits.count))
        return (number < 0 ? "-" : hasSign ? "+" : "") + prefix + zeros + digits
    }
}

/// The form of a number with a fraction.
public struct OSLogFloatFormatting: Sendable {
    private var kind: Character = "f"
    private var precision: Int?
    private var hasSign = false

    /// Six digits after the point.
    public static var fixed: OSLogFloatFormatting { OSLogFloatFormatting() }
    /// A fixed number of digits after the point.
    public static func fixed(precision: Int = 6, explicitPositiveSign: Bool = false) -> OSLogFloatFormatting {
        OSLogFloatFormatting(precision: precision, hasSign: explicitPositiveSign)
    }
    /// The number in base 16 with an exponent.
    public static var hex: OSLogFloatFormatting { OSLogFloatFormatting(kind: "a") }
    /// A digit, a fraction and an exponent.
    public static var exponential: OSLogFloatFormatting { OSLogFloatFormatting(kind: "e") }
    /// A digit, a fraction with a number of digits, and an exponent.
    public static func exponential(precision: Int = 6, explicitPositiveSign: Bool = false)
        -> OSLogFloatFormatting
    {
        OSLogFloatFormatting(kind: "e", precision: precision, hasSign: explicitPositiveSign)
    }
    /// Fixed or exponential, whichever is shorter.
    public static var hybrid: OSLogFloatFormatting { OSLogFloatFormatting(kind: "g") }
    /// Fixed or exponential, whichever is shorter, with a number of digits.
    public static func hybrid(precision: Int = 6, explicitPositiveSign: Bool = false) -> OSLogFloatFormatting
    {
        OSLogFloatFormatting(kind: "g", precision: precision, hasSign: explicitPositiveSign)
    }

    func text(_ number: Double) -> String {
        let precision = precision.map { ".\(min(max($0, 0), 64))" } ?? ""
        return CFormat.text("%\(hasSign ? "+" : "")\(precision)\(kind)", number)
    }
}

/// The form of a choice of yes or no.
public enum OSLogBoolFormat: Sendable {
    /// `true` or `false`.
    case truth
    /// `yes` or `no`.
    case answer

    func text(_ choice: Bool) -> String {
        switch self {
        case .truth: choice ? "true" : "false"
        case .answer: choice ? "yes" : "no"
        }
    }
}

/// Formats of the C library.
enum CFormat {
    /// Returns a number in a format, which must be for this kind of number.
    static func text(_ format: String, _ number: any CVarArg) -> String {
        unsafe withVaList([number]) { list in
            // The longest number has some 310 digits, and a fraction of at most 64.
            var bytes = [CChar](repeating: 0, count: 512)
            let count = unsafe vsnprintf(&bytes, bytes.count, format, list)
            let text = bytes.prefix(Int(max(0, min(count, Int32(bytes.count - 1))))).map {
                UInt8(bitPattern: $0)
            }
            return String(decoding: text, as: UTF8.self)
        }
    }
}
