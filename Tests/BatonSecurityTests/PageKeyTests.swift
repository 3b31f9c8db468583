import BatonCore
import BatonSecurity
import Foundation
import Support
import Synchronization
import Testing

/// Encrypting the pages of databases.
@Suite struct `A key for pages` {
    /// The two keys of the test vectors of IEEE 1619 for AES-256.
    private static let vectorKey =
        [UInt8](hex: "2718281828459045235360287471352662497757247093699959574966967627")
        + [UInt8](hex: "3141592653589793238462643383279502884197169399375105820974944592")

    private func encrypted(_ bytes: [UInt8], _ number: UInt64, with key: PageKey) -> [UInt8]? {
        var bytes = bytes
        return bytes.withUnsafeMutableBytes { buffer in
            key.encrypt(buffer.baseAddress!, count: buffer.count, number: number)
        } ? bytes : nil
    }

    private func decrypted(_ bytes: [UInt8], _ number: UInt64, with key: PageKey) -> [UInt8]? {
        var bytes = bytes
        return bytes.withUnsafeMutableBytes { buffer in
            key.decrypt(buffer.baseAddress!, count: buffer.count, number: number)
        } ? bytes : nil
    }

    private static func key(_ bytes: some Collection<UInt8>) throws -> PageKey {
        try PageKey(secret: SecretBytes(copying: bytes))
    }

    /// The first bytes are vector 10 of IEEE 1619.
    ///
    /// The other expected bytes were computed with another program.
    @Test func `encrypts as the standard says`() throws {
        let key = try Self.key(Self.vectorKey)
        let vector = try #require(encrypted((0..<512).map { UInt8($0 % 256) }, 0xff, with: key))
        #expect(vector.prefix(32).hex == "1c3b3a102f770386e4836c99e370cf9bea00803f5e482357a4ae12d414a3e63b")
        #expect(vector.suffix(32).hex == "773dad38014bd2092fa755c824bb5e54c4f36ffda9fcea70b9c6e693e148c151")
        let part = try #require(encrypted(Array(0..<24), 0xc000_0000_0000_0007, with: key))
        #expect(part.hex == "4c135a59b07fe55aeeaee0054b198c103d4619fbc9c4c478")
        let page = try #require(
            encrypted(
                (0..<4096).map { UInt8($0 * 7 % 251) }, 0x0123_4567_89ab_cdef, with: try Self.key(0..<64)))
        #expect(page.prefix(16).hex == "384bf640c80c210cf6661c4d9cf4eec0")
        #expect(
            SHA256.digest(page).hex == "f6ccee383af2c0634cd8a9c1f260487f7f8c095abe8529d6f37e714bb39d304b")
    }

    @Test func `gives back what was encrypted, for any number of bytes from 16 on`() throws {
        let key = try Self.key(0..<64)
        var generator = SeededGenerator(seed: 1)
        for count in Array(16...80) + [4096, 65_536] {
            let (bytes, number) = (generator.bytes(count...count), generator.next())
            let hidden = try #require(encrypted(bytes, number, with: key))
            #expect(hidden.count == count && hidden != bytes)
            #expect(decrypted(hidden, number, with: key) == bytes)
            #expect(decrypted(hidden, number ^ 1, with: key) != bytes)
            #expect(decrypted(hidden, number ^ 1 << 63, with: key) != bytes)
        }
    }

    @Test func `encrypts no fewer bytes than a block has`() throws {
        let key = try Self.key(0..<64)
        for count in 1..<16 {
            let bytes = [UInt8](repeating: 7, count: count)
            #expect(encrypted(bytes, 1, with: key) == nil && decrypted(bytes, 1, with: key) == nil)
        }
    }

    @Test func `has 64 bytes, the halves of which differ`() throws {
        for count in [0, 32, 63, 65] {
            #expect(throws: SecurityError(.malformed, "")) { try Self.key(0..<UInt8(count)) }
        }
        #expect(throws: SecurityError(.malformed, "")) { try Self.key(Array(0..<32) + Array(0..<32)) }
        _ = try Self.key(Array(0..<32) + Array(0..<31) + [32])
    }

    @Test func `can be used by several threads at the same time`() throws {
        let key = try Self.key(0..<64)
        let failures = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            var generator = SeededGenerator(seed: UInt64(thread))
            for number in 0..<200 as Range<UInt64> {
                let bytes = generator.bytes(4096...4096)
                let hidden = encrypted(bytes, number, with: key)
                if hidden.flatMap({ decrypted($0, number, with: key) }) != bytes {
                    failures.add(1, ordering: .relaxed)
                }
            }
        }
        #expect(failures.load(ordering: .relaxed) == 0)
    }

    /// The expected bytes were computed with another program, from HKDF-SHA256 and AES-256-XTS.
    @Test func `is derived from the key of the account for a purpose`() throws {
        let account = try ContentKey(secret: SecretBytes(copying: Array(0..<32)))
        let bytes = [UInt8](0..<32)
        let hidden = try #require(encrypted(bytes, 5, with: account.pageKey(for: "index")))
        #expect(hidden.hex == "3b24e80fc290e9152352f90df1863ea7153cbd2a39c24bc1e69cc5216c716c30")
        let other = try ContentKey(secret: SecretBytes(copying: Array(1...32)))
        #expect(try encrypted(bytes, 5, with: account.pageKey(for: "other")) != hidden)
        #expect(try encrypted(bytes, 5, with: other.pageKey(for: "index")) != hidden)
        #expect(try encrypted(bytes, 5, with: account.pageKey(for: "index")) == hidden)
    }
}
