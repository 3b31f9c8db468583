import BatonCore
import CoreSpotlight
import Testing

@Suite struct `Foundation's numbers` {
    /// Numbers as apps make them, and the value that each is in the index.
    static let numbers: [(NSNumber, PropertyValue)] = [
        (true, .boolean(true)), (false, .boolean(false)),
        (NSNumber(value: true), .boolean(true)), (NSNumber(booleanLiteral: false), .boolean(false)),
        (1, .integer(1)), (0, .integer(0)), (5, .integer(5)), (-7, .integer(-7)),
        (1.0, .real(1)), (0.0, .real(0)), (2.5, .real(2.5)),
        (NSNumber(value: Int8(1)), .integer(1)), (NSNumber(value: UInt8(1)), .integer(1)),
        (NSNumber(value: Int16(-3)), .integer(-3)), (NSNumber(value: UInt16(3)), .integer(3)),
        (NSNumber(value: Int32.min), .integer(Int64(Int32.min))),
        (NSNumber(value: UInt32.max), .integer(4_294_967_295)),
        (NSNumber(value: Int64.max), .integer(.max)), (NSNumber(value: Int64.min), .integer(.min)),
        (NSNumber(value: UInt64(Int64.max)), .integer(.max)),
        (NSNumber(value: UInt64.max), .real(18_446_744_073_709_551_616)),
        (NSNumber(value: UInt(12)), .integer(12)), (NSNumber(value: Float(1.5)), .real(1.5)),
        (NSNumber(value: Double.infinity), .real(.infinity)), (NSDecimalNumber(string: "1.25"), .real(1.25)),
    ]

    @Test(arguments: numbers.indices) func `are stored as the type from which they were made`(index: Int) {
        let (number, value) = Self.numbers[index]
        #expect(PropertyValue(number) == value)
        // As a member of a list of anything, as in `userInfo`.
        #expect(PropertyValue([number]) == .array([value]))
    }

    /// Values of Swift, which are no `NSNumber` yet.
    static var values: [(Any, PropertyValue)] {
        [
            (true, .boolean(true)), (1, .integer(1)), (1.0, .real(1)), (UInt8(1), .integer(1)),
            (Int64(-1), .integer(-1)),
            (Float(0.5), .real(0.5)), (UInt64.max, .real(18_446_744_073_709_551_616)),
            (Decimal(string: "2.5") as Any, .real(2.5)),
        ]
    }

    @Test(arguments: values.indices) func `are stored like the equal Swift values`(index: Int) {
        let (number, value) = Self.values[index]
        #expect(PropertyValue(number) == value)
        #expect(PropertyValue(["a": number]) == .dictionary([.string("a"): value]))
    }

    @Test(arguments: numbers.indices) func `keep their type when they are read back`(index: Int) {
        let (number, value) = Self.numbers[index]
        let set = CSSearchableItemAttributeSet()
        set.rating = number
        #expect(set.rating == number)
        guard let back = set.rating else { return }
        #expect(PropertyValue(back) == value)
        #expect(PropertyValue(value.swiftValue) == value)
    }

    @Test func `that are assigned from literals keep the literals' types`() throws {
        let set = CSSearchableItemAttributeSet()
        set.supportsNavigation = true
        set.rating = 5
        set.latitude = 48.5
        #expect(set.supportsNavigation?.boolValue == true)
        #expect(set.rating?.intValue == 5)
        #expect(set.latitude?.doubleValue == 48.5)
        #expect(
            try set.written() == [
                .number(57): .boolean(true), .number(133): .real(48.5), .number(224): .integer(5),
            ])
    }
}
