import BatonCore
import Support
import Testing

@Suite struct `SHA-256` {
    /// Examples of FIPS 180-4 and of NIST's example files.
    static let vectors: [(text: String, digest: String)] = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
    ]

    @Test(arguments: vectors)
    func `the examples of the standard have their digests`(_ text: String, _ digest: String) {
        #expect(SHA256.digest(text.utf8).hex == digest)
    }

    @Test func `a million times the letter a has its digest`() {
        var hash = SHA256()
        let thousand = [UInt8](repeating: UInt8(ascii: "a"), count: 1000)
        for _ in 0..<1000 { hash.update(thousand) }
        #expect(hash.finish().hex == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func `bytes have the same digest however they are divided`() {
        var generator = SeededGenerator(seed: 1)
        for count in 0...140 {
            let bytes = generator.bytes(count...count)
            var (hash, rest) = (SHA256(), bytes[...])
            while !rest.isEmpty {
                let part = generator.number(1...rest.count)
                hash.update(rest.prefix(part))
                rest = rest.dropFirst(part)
            }
            #expect(hash.finish() == SHA256.digest(bytes))
        }
    }
}
