package import BatonCore

/// Receives the bytes of a backup, for example to write them to a file.
package protocol BackupSink {
    /// Appends bytes to the backup.
    mutating func write(_ bytes: [UInt8]) throws(StoreFailure)
}

/// Writes the pieces of a backup, and computes their checksum and length.
struct BackupWriter<Sink: BackupSink> {
    private(set) var sink: Sink
    private let watch: BackupWatch
    private var sum = SHA256()
    private(set) var bytes = 0

    init(_ sink: Sink, watch: BackupWatch) throws(StoreFailure) {
        (self.sink, self.watch) = (sink, watch)
        try put(BackupPiece.mark)
    }

    mutating func write(_ piece: BackupPiece) throws(StoreFailure) {
        let body = piece.encoded
        guard body.count <= BackupPiece.most else {
            throw StoreFailure(.failed, "a row is larger than a backup can hold")
        }
        let head = (0..<BackupPiece.headBytes).reversed().map {
            UInt8(truncatingIfNeeded: body.count >> (8 * $0))
        }
        try put(head + body)
    }

    /// Writes the checksum of everything that was written.
    ///
    /// Nothing may be written after that.
    mutating func end() throws(StoreFailure) {
        let sum = sum
        try put(sum.finish())
    }

    private mutating func put(_ part: [UInt8]) throws(StoreFailure) {
        sum.update(part)
        bytes += part.count
        try sink.write(part)
        try watch.advance(by: part.count)
    }
}
