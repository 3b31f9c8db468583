import BatonCore
import Support

extension Vector {
    static let propertyValues = PropertyValue.samples.map { name, description, value in
        Vector(
            name, description,
            [("hex", .text(value.encoded.hex)), ("decoded", .text(Diagnostic.text(of: value.encoded)))])
    }
}

extension PropertyValue {
    static let samples: [(name: String, description: String, value: PropertyValue)] =
        texts + numbers + tagged + containers

    private static let texts: [(name: String, description: String, value: PropertyValue)] = [
        ("string", "A string.", .string("report.md")),
        ("string-empty", "An empty string.", .string("")),
        ("string-unicode", "UTF-8 is kept as it is; nothing is normalised.", .string("e\u{301}\u{1f9f5}")),
        ("data", "Bytes.", .data([0, 1, 2, 255])),
        ("boolean-true", "True.", .boolean(true)),
        ("boolean-false", "False.", .boolean(false)),
        ("null", "Null.", .null),
    ]

    private static let numbers: [(name: String, description: String, value: PropertyValue)] = [
        ("integer-zero", "Zero.", .integer(0)),
        ("integer-23", "The largest number in one byte.", .integer(23)),
        ("integer-24", "The smallest number in two bytes.", .integer(24)),
        ("integer-256", "The smallest number in three bytes.", .integer(256)),
        ("integer-65536", "The smallest number in five bytes.", .integer(65536)),
        ("integer-4294967296", "The smallest number in nine bytes.", .integer(1 << 32)),
        ("integer-largest", "The largest integer.", .integer(.max)),
        ("integer-negative", "Minus one.", .integer(-1)),
        ("integer-smallest", "The smallest integer.", .integer(.min)),
        ("real-half", "A real that a half-precision number holds; it is no integer.", .real(2)),
        ("real-negative-zero", "Minus zero is not zero.", .real(-0.0)),
        ("real-single", "A real that takes single precision.", .real(100_000)),
        ("real-double", "A real that takes double precision.", .real(1.1)),
        ("real-infinity", "Infinity.", .real(.infinity)),
        ("real-nan", "There is one value that is not a number.", .real(.nan)),
    ]

    private static let tagged: [(name: String, description: String, value: PropertyValue)] = [
        ("date", "Seconds since 1970, always a real.", .date(1_782_907_200)),
        ("date-fraction", "A date between two seconds.", .date(1_782_907_200.25)),
        ("url", "A URL.", .url("https://example.org/report")),
        ("uuid", "A UUID.", .uuid(Array(0..<16))),
    ]

    private static let containers: [(name: String, description: String, value: PropertyValue)] = [
        ("array", "An array keeps its order.", .array([.integer(2), .string("one"), .null])),
        (
            "set", "A set in the order of its members' encodings.",
            .set([.string("b"), .string("aa"), .integer(9)])
        ),
        ("set-empty", "An empty set.", .set([])),
        (
            "dictionary",
            "A dictionary in the order of its keys' encodings: as bytes, so -1 comes after 100 and before \"a\".",
            .dictionary([
                .string("a"): .integer(1), .integer(100): .integer(2), .integer(-1): .integer(3),
                .string("aa"): .integer(4), .boolean(false): .integer(5), .uuid(Array(0..<16)): .null,
            ])
        ),
        (
            "nested", "Values in values.",
            .dictionary([.string("list"): .array([.set([.date(0)]), .dictionary([:]), .data([])])])
        ),
    ]
}
