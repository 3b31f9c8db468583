/// A cipher for the files of a store, which has the key.
///
/// Each file is encrypted in pieces. The cipher changes no lengths, and several threads may use it at the same time.
///
/// The cipher hides content, but it has no room for a proof that nobody has changed the content. The checksums inside
/// of the encrypted pieces notice changed bytes. They do not notice an older version of a whole piece.
package protocol PageCipher: Sendable {
    /// Encrypts a piece of at least 16 bytes in place; returns false on failure.
    ///
    /// Each piece of a store has its own number. The same piece is encrypted again whenever it is written.
    func encrypt(_ bytes: UnsafeMutableRawPointer, count: Int, number: UInt64) -> Bool

    /// Decrypts a piece in place; returns false on failure.
    ///
    /// A wrong key is no failure. It gives wrong bytes, which the checksums notice.
    func decrypt(_ bytes: UnsafeMutableRawPointer, count: Int, number: UInt64) -> Bool
}
