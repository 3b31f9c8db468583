package import BatonCore
import Glibc

/// Reads a backup piece by piece.
///
/// The whole file is checked before any part of it is used.
package final class BackupInput {
    private let path: String
    private let descriptor: Int32
    private let byteCount: Int
    private let watch: BackupWatch
    /// The offset of the next byte to read, and the checksum of all bytes before it.
    private var place = 0
    private var sum = SHA256()
    /// The owner and the size of the backup.
    package private(set) var summary: BackupSummary

    /// Opens a file and checks it.
    ///
    /// The file is read once, to check that nothing in it was changed or is missing.
    package init(path: String, watch: BackupWatch) throws(StoreFailure) {
        (self.path, self.watch) = (path, watch)
        // Without O_NONBLOCK, opening a named pipe would wait until another process opens its other end.
        descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw StoreFolder.failure("\(path) can't be opened") }
        var status = stat()
        let code = unsafe fstat(descriptor, &status)
        byteCount = code == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : -1
        let manifest = BackupManifest(
            account: AccountIdentifier(high: 0, low: 0), device: DeviceIdentifier(high: 0, low: 0),
            deviceName: "", made: WallTime(milliseconds: 0), build: "")
        summary = BackupSummary(manifest: manifest, contents: BackupContents(), bytes: byteCount)
        summary = try check()
    }

    deinit { close(descriptor) }

    // MARK: Checking

    /// Checks the checksum of the whole file without decoding rows, and returns the summary of the backup.
    private func check() throws(StoreFailure) -> BackupSummary {
        watch.expect(2 * max(byteCount, 1))
        guard byteCount >= BackupPiece.mark.count, try bytes(BackupPiece.mark.count) == BackupPiece.mark
        else {
            throw StoreFailure(.failed, "\(path) is not a backup of Baton")
        }
        let (start, sumBefore) = (place, sum)
        var (first, last): ([UInt8]?, [UInt8]) = (nil, [])
        while place < byteCount - BackupPiece.sumBytes {
            last = try pieceBytes()
            if first == nil { first = last }
        }
        let expected = sumHere
        guard place == byteCount - BackupPiece.sumBytes, try bytes(BackupPiece.sumBytes) == expected,
            let first
        else { throw damaged }
        (place, sum) = (start, sumBefore)
        // The checksum is right. So if a piece can't be decoded, a newer version of Baton wrote it.
        guard case .manifest(let manifest) = try piece(first), case .end(let contents) = try piece(last)
        else {
            throw newer
        }
        return BackupSummary(manifest: manifest, contents: contents, bytes: byteCount)
    }

    // MARK: Reading

    /// Returns the next piece; nil after the last piece.
    func next() throws(StoreFailure) -> BackupPiece? {
        guard place < byteCount - BackupPiece.sumBytes else {
            // This checks that the file has not changed since it was opened.
            let found = sumHere
            guard try bytes(BackupPiece.sumBytes) == found else { throw damaged }
            return nil
        }
        return try piece(try pieceBytes())
    }

    private func piece(_ bytes: [UInt8]) throws(StoreFailure) -> BackupPiece {
        do throws(CBORError) { return try BackupPiece(bytes) } catch { throw newer }
    }

    private func pieceBytes() throws(StoreFailure) -> [UInt8] {
        let count = try bytes(BackupPiece.headBytes).reduce(0) { $0 << 8 | Int($1) }
        guard count <= BackupPiece.most, place + count <= byteCount - BackupPiece.sumBytes else {
            throw damaged
        }
        return try bytes(count)
    }

    /// Reads the next `count` bytes.
    private func bytes(_ count: Int) throws(StoreFailure) -> [UInt8] {
        guard place + count <= byteCount else { throw damaged }
        var bytes = [UInt8](repeating: 0, count: count)
        var have = 0
        while have < count {
            let read = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(
                    descriptor, buffer.baseAddress.map { unsafe $0 + have }, count - have, off_t(place + have)
                )
            }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw StoreFolder.failure("\(path) can't be read") }
            guard read > 0 else { throw damaged }
            have += read
        }
        place += count
        sum.update(bytes)
        try watch.advance(by: count)
        return bytes
    }

    /// The checksum of everything that was read so far.
    private var sumHere: [UInt8] {
        let sum = sum
        return sum.finish()
    }

    // MARK: Refusals

    private var damaged: StoreFailure {
        StoreFailure(
            .failed, "\(path) is cut or damaged: it is not what was written when the backup was made")
    }

    private var newer: StoreFailure {
        StoreFailure(.newer, "\(path) was made by a newer version of Baton")
    }
}
