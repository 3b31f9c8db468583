/// A number in a query or in a value.
///
/// Numbers are compared without rounding.
package enum QueryNumber: Equatable, Sendable {
    case integer(Int64)
    case real(Double)

    package enum Order: Sendable { case less, equal, greater }

    /// Creates the number of a value; nil if the value is not a number.
    ///
    /// True counts as 1 and false as 0.
    init?(_ value: PropertyValue) {
        switch value {
        case .integer(let number): self = .integer(number)
        case .real(let number): self = .real(number)
        case .boolean(let isTrue): self = .integer(isTrue ? 1 : 0)
        default: return nil
        }
    }

    /// The number, rounded to a real if necessary.
    var real: Double {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        }
    }

    /// Compares this number with another one; returns nil if one of them is NaN.
    func order(beside other: QueryNumber) -> Order? {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): Self.order(left, right)
        case (.real(let left), .real(let right)): Self.order(left, right)
        case (.integer(let left), .real(let right)): Self.order(of: left, beside: right)
        case (.real(let left), .integer(let right)): Self.order(of: right, beside: left)?.reversed
        }
    }

    /// Compares two numbers of the same type; returns nil if one of them is NaN.
    static func order<Number: Comparable>(_ left: Number, _ right: Number) -> Order? {
        left < right ? .less : left > right ? .greater : left == right ? .equal : nil
    }

    private static func order(of integer: Int64, beside real: Double) -> Order? {
        if real.isNaN { return nil }
        if real >= 0x1p63 { return .less }
        if real < -0x1p63 { return .greater }
        let whole = Int64(real)
        return integer == whole ? order(Double(whole), real) : order(integer, whole)
    }
}

extension QueryNumber.Order {
    fileprivate var reversed: Self {
        switch self {
        case .less: .greater
        case .equal: .equal
        case .greater: .less
        }
    }
}
