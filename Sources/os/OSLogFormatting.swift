import Glibc

/// The alignment of a value in a column of a log message.
public struct OSLogStringAlignment: Sendable {
    private let columns: Int
    private let isRight: Bool

    /// No alignment; no spaces are added to the value.
    public static var none: OSLogStringAlignment { OSLogStringAlignment(columns: 0, isRight: false) }
    /// The value is aligned to the left in a column of this width.
    public static func left(columns: Int) -> OSLogStringAlignment {
        OSLogStringAlignment(columns: columns, isRight: false)
    }
    /// The value is aligned to the right in a column of this width.
    public static func right(columns: Int) -> OSLogStringAlignment {
        OSLogStringAlignment(columns: columns, isRight: true)
    }

    func text(_ text: String) -> String {
        let space = String(repeating: " ", count: max(0, columns - text.count))
        return isRight ? space + text : text + space
    }
}

/// The format of an integer in a log message.
public struct OSLogIntegerFormatting: Sendable {
    private var radix = 10
    private var prefix = ""
    private var hasSign = false
    private var isUppercase = false
    private var minDigits = 1

    /// The number in base 10.
    public static var decimal: OSLogIntegerFormatting { OSLogIntegerFormatting() }
    /// The number in base 10, with at least this number of digits.
    public static func decimal(explicitPositiveSign: Bool = false, minDigits: Int = 1)
        -> OSLogIntegerFormatting
    {
        OSLogIntegerFormatting(hasSign: explicitPositiveSign, minDigits: minDigits)
    }
    /// The number in base 16.
    public static var hex: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 16) }
    /// The number in base 16, with at least this number of digits.
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
    /// The number in base 8, with at least this number of digits.
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

/// The format of a floating-point number in a log message.
public struct OSLogFloatFormatting: Sendable {
    private var kind: Character = "f"
    private var precision: Int?
    private var hasSign = false

    /// Six digits after the decimal point.
    public static var fixed: OSLogFloatFormatting { OSLogFloatFormatting() }
    /// This number of digits after the decimal point.
    public static func fixed(precision: Int = 6, explicitPositiveSign: Bool = false) -> OSLogFloatFormatting {
        OSLogFloatFormatting(precision: precision, hasSign: explicitPositiveSign)
    }
    /// The number in base 16 with an exponent.
    public static var hex: OSLogFloatFormatting { OSLogFloatFormatting(kind: "a") }
    /// Scientific notation: one digit, a fraction and an exponent.
    public static var exponential: OSLogFloatFormatting { OSLogFloatFormatting(kind: "e") }
    /// Scientific notation, with this number of digits after the decimal point.
    public static func exponential(precision: Int = 6, explicitPositiveSign: Bool = false)
        -> OSLogFloatFormatting
    {
        OSLogFloatFormatting(kind: "e", precision: precision, hasSign: explicitPositiveSign)
    }
    /// Fixed or scientific notation, whichever is shorter.
    public static var hybrid: OSLogFloatFormatting { OSLogFloatFormatting(kind: "g") }
    /// Fixed or scientific notation, whichever is shorter, with this number of significant digits.
    public static func hybrid(precision: Int = 6, explicitPositiveSign: Bool = false) -> OSLogFloatFormatting
    {
        OSLogFloatFormatting(kind: "g", precision: precision, hasSign: explicitPositiveSign)
    }

    func text(_ number: Double) -> String {
        let precision = precision.map { ".\(min(max($0, 0), 64))" } ?? ""
        return CFormat.text("%\(hasSign ? "+" : "")\(precision)\(kind)", number)
    }
}

/// The format of a Boolean in a log message.
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

/// Formatting by the C library.
enum CFormat {
    /// Formats a number; the format must be valid for this kind of number.
    static func text(_ format: String, _ number: any CVarArg) -> String {
        unsafe withVaList([number]) { list in
            // The longest number has about 310 digits, and at most 64 digits after the decimal point.
            var bytes = [CChar](repeating: 0, count: 512)
            let count = unsafe vsnprintf(&bytes, bytes.count, format, list)
            let text = bytes.prefix(Int(max(0, min(count, Int32(bytes.count - 1))))).map {
                UInt8(bitPattern: $0)
            }
            return String(decoding: text, as: UTF8.self)
        }
    }
}
