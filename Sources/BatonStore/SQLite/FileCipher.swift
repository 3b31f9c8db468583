import BatonCore
import CSQLite

/// The cipher of a store, for the files of one lane.
struct FileCipher {
    private let cipher: any PageCipher
    private let lane: Lane

    init(_ cipher: any PageCipher, of lane: Lane) { (self.cipher, self.lane) = (cipher, lane) }

    /// A kind of piece that is encrypted by itself.
    enum Piece: UInt64 {
        /// A page of a database, with its checksum.
        case page = 0
        /// The header of a frame of the log.
        case frameHead = 2
        /// The page of a frame of the log.
        case framePage = 3
    }

    /// Encrypts a piece of a file in place; returns a code of SQLite.
    func encrypt(_ bytes: UnsafeMutableRawPointer, _ count: Int, _ piece: Piece, _ number: UInt64) -> Int32 {
        unsafe cipher.encrypt(bytes, count: count, number: unique(piece, number)) ? SQLITE_OK : SQLITE_IOERR
    }

    /// Decrypts a piece of a file in place; returns a code of SQLite.
    func decrypt(_ bytes: UnsafeMutableRawPointer, _ count: Int, _ piece: Piece, _ number: UInt64) -> Int32 {
        unsafe cipher.decrypt(bytes, count: count, number: unique(piece, number)) ? SQLITE_OK : SQLITE_IOERR
    }

    /// Returns a number that no other piece of the store has.
    ///
    /// So two equal pieces look different, and a piece that was moved to another place is damaged. The two highest bits
    /// are the kind of the piece, and the next one is the lane. SQLite numbers pages and frames with 32 bits.
    private func unique(_ piece: Piece, _ number: UInt64) -> UInt64 {
        piece.rawValue << 62 | UInt64(lane.rawValue) << 61 | number
    }
}
