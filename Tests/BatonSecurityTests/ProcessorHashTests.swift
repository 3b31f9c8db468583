import BatonCore
import BatonSecurity
import Support
import Testing

@Suite struct `SHA-256 by the processor` {
    @Test func `has the same digests as the portable code, however the bytes are divided`() {
        var generator = SeededGenerator(seed: 1)
        for count in Array(0...200) + [4095, 4096, 100_000] {
            let bytes = generator.bytes(count...count)
            var (hash, rest) = (SHA256(by: SHA256.byProcessor), bytes[...])
            while !rest.isEmpty {
                let part = generator.number(1...rest.count)
                hash.update(rest.prefix(part))
                rest = rest.dropFirst(part)
            }
            var plain = SHA256(by: { $0.compress($1) })
            plain.update(bytes)
            #expect(hash.finish() == plain.finish(), "\(count) bytes")
        }
    }
}
