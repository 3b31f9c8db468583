import BatonCore
import Support
import Testing

@Suite struct `HMAC-SHA256` {
    /// Examples of RFC 4231, and one without any byte.
    static let vectors: [(key: [UInt8], message: String, code: String)] = [
        (
            [UInt8](repeating: 0x0b, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        ([], "", "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    ]

    @Test(arguments: vectors)
    func `the examples of the standard have their codes, also the second time`(
        _ key: [UInt8], _ message: String, _ code: String
    ) {
        let key = HMACKey(key)
        for _ in 1...2 { #expect(key.code(of: Array(message.utf8)).hex == code) }
    }
}
