import COpenSSL

/// The cost of scrypt (RFC 7914), which makes each guess at a passphrase slow and large.
package struct PassphraseCost: Hashable, Sendable {
    /// The binary logarithm of scrypt's N, which multiplies both the time and the memory of a guess.
    package let logarithm: UInt8
    /// The size of a block (scrypt's r).
    package let blockSize: UInt16
    /// The number of independent rounds (scrypt's p).
    package let rounds: UInt16

    /// The cost of passphrases that are set now: N is 2 to the power of 17, r is 8, and p is 1.
    ///
    /// A guess takes 128 MiB, and about half a second of a small processor. This is as much as a person and a small
    /// machine can afford at each unlocking. With more rounds, a guess would take more time but no more memory, and
    /// memory is what special hardware for guessing lacks.
    package static let present = PassphraseCost(logarithm: 17, blockSize: 8, rounds: 1)

    /// The largest memory that is accepted: eight times that of the present cost.
    private static let memoryMost = 1 << 30
    /// The largest number of blocks to mix that is accepted: sixteen times that of the present cost.
    private static let workMost = 1 << 24

    /// Makes a cost from numbers that are trusted, such as those of a test.
    package init(logarithm: UInt8, blockSize: UInt16, rounds: UInt16) {
        (self.logarithm, self.blockSize, self.rounds) = (logarithm, blockSize, rounds)
    }

    /// Whether this device is willing to compute this; a hostile file must not take all memory or time.
    package var isAcceptable: Bool {
        guard (1...24).contains(logarithm), blockSize > 0, rounds > 0 else { return false }
        let (size, rounds) = (Int(blockSize), Int(rounds))
        return 128 * size << Int(logarithm) <= Self.memoryMost
            && (size * rounds) << Int(logarithm) <= Self.workMost
    }

    /// Derives a key from a passphrase and a salt.
    func stretch(_ passphrase: SecretBytes, salt: [UInt8]) throws(SecurityError) -> SecretBytes {
        guard isAcceptable else {
            throw SecurityError(
                .damaged, "The key's passphrase was stretched with parameters that are too large.")
        }
        let (size, rounds) = (Int(blockSize), Int(rounds))
        // The table, the blocks of all rounds, and a little for what else the library allocates.
        let memory = UInt64(128 * size * (1 << Int(logarithm) + rounds + 2) + 1 << 16)
        return try unsafe SecretBytes(count: Cryptography.digestByteCount) {
            (buffer: UnsafeMutableRawBufferPointer) throws(SecurityError) in
            let start = unsafe buffer.bindMemory(to: UInt8.self).baseAddress
            try OpenSSL.succeed("stretch a passphrase") {
                unsafe passphrase.withBytes { bytes in
                    unsafe EVP_PBE_scrypt(
                        bytes.bindMemory(to: CChar.self).baseAddress, bytes.count, salt, salt.count,
                        1 << UInt64(logarithm), UInt64(size), UInt64(rounds), memory, start, buffer.count)
                }
            }
        }
    }
}
