import BatonCore
import Support
import Testing

@Suite struct `Limits of property lists` {
    private let limits = PropertyLimits(bytes: 100, depth: 4, values: 10)

    private func nested(_ depth: Int, in wrap: (PropertyValue) -> PropertyValue = { .array([$0]) })
        -> PropertyValue
    {
        (0..<depth).reduce(.null) { value, _ in wrap(value) }
    }

    private func error(_ value: PropertyValue) -> PropertyLimitError? {
        do throws(PropertyLimitError) {
            try limits.check(value)
            return nil
        } catch {
            return error
        }
    }

    @Test func `are named in the error, with the size of the value that exceeds them`() {
        #expect(error(.data([UInt8](repeating: 0, count: 98))) == nil)
        #expect(
            error(.data([UInt8](repeating: 0, count: 99)))
                == PropertyLimitError(.bytes, found: 101, most: 100))
        #expect(error(nested(4)) == nil)
        #expect(error(nested(5)) == PropertyLimitError(.depth, found: 5, most: 4))
        #expect(error(.array([PropertyValue](repeating: .null, count: 9))) == nil)
        #expect(
            error(.array([PropertyValue](repeating: .null, count: 10)))
                == PropertyLimitError(.values, found: 11, most: 10))
        #expect(error(.dictionary([.null: nested(3)])) == nil)
        #expect(error(.dictionary([nested(4): .null]))?.limit == .depth)
        #expect(
            PropertyLimitError(.bytes, found: 101, most: 100).description
                == "It has 101 bytes; the limit is 100.")
    }

    /// The wrappers that put a value one or two levels deeper.
    private static let wraps: [@Sendable (PropertyValue) -> PropertyValue] = [
        { .array([$0]) }, { .set([$0]) }, { .dictionary([$0: .null]) }, { .dictionary([.null: $0]) },
        { .array([.date(1), $0]) }, { .array([.url("a"), $0]) },
    ]

    /// Checks that a limit accepts exactly the values that the reader accepts.
    @Test(arguments: wraps.indices)
    func `accept exactly the values that can be read`(_ wrap: Int) throws {
        for depth in 0...40 {
            let value = nested(depth, in: Self.wraps[wrap])
            let fields = Fields { fields in
                fields.field(1) { $0.text("t") }
                fields.field(3) { PropertyValue.dictionary([.null: value]).encode(to: &$0) }
            }
            let isRead =
                (try? CBORReader.whole(fields.encoded[...]) { (reader) throws(CBORError) in
                    try Activity(Fields(from: &reader))
                }) != nil
            let isAllowed = (try? PropertyLimits.payload.check(.dictionary([.null: value]))) != nil
            #expect(isRead == isAllowed, "\(depth)")
        }
    }

    @Test func `stop counting at the limit, also in a deeply nested value`() {
        // Walking to the bottom of this value would overflow the stack.
        #expect(error(nested(10_000))?.limit == .depth)
    }

    @Test(arguments: Seeds.first(10))
    func `count the same bytes as the encoder`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let value = generator.value(depth: 3)
            let found = error(value)
            if found == nil { #expect(value.encoded.count <= limits.bytes) }
            if value.encoded.count > limits.bytes { #expect(found != nil) }
        }
    }
}
