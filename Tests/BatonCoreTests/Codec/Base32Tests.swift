import BatonCore
import Support
import Testing

@Suite struct `Base32 text` {
    @Test func `bytes of any length survive encoding`() {
        var generator = SeededGenerator(seed: 1)
        for count in 0...40 {
            let bytes = generator.bytes(count...count)
            #expect(Base32.decode(Base32.encode(bytes)) == bytes)
        }
    }

    @Test func `known bytes have their known text`() {
        #expect(Base32.encode([]) == "")
        #expect(Base32.encode([0]) == "00")
        #expect(Base32.encode([0xff]) == "zw")
    }

    @Test
    func `letters of either case are decoded, and letters that look like digits are decoded as these digits`()
    {
        #expect(Base32.decode("ZW") == [0xff])
        #expect(Base32.decode("oO") == Base32.decode("00"))
        #expect(Base32.decode("iLI0") == Base32.decode("1110"))
    }

    @Test(arguments: ["u0", "zz", "0", "000", "z w", "zw=", "é0", "@0", "`0", "\u{10}0", "--", "zw01"])
    func `text that is not the encoding of any bytes is refused`(_ text: String) {
        #expect(Base32.decode(text) == nil)
    }
}
