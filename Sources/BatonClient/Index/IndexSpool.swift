package import BatonCore
import BatonNetwork

/// The writes of an app that no node has taken yet, in a file that all processes of the app share.
///
/// The file begins with a header: a mark, random bytes that name its filling, and the place of the first write that is
/// left. Each write follows with its length and a checksum. A write counts once it is whole and on the disk; a
/// half-written end is cut off. When the last write has been taken, the file is emptied. If the place of the first write
/// is lost, writes are sent again, which their names make harmless.
package final class IndexSpool: Sendable {
    private let path: String
    /// The known facts about the file, so that nothing is read twice.
    private let known = Monitor(Known())

    private struct Known: Sendable {
        /// The random bytes of the header.
        var filling: [UInt8] = []
        /// The place up to which all writes are whole.
        var end = 0
    }

    /// The place of a write in a filling of the file.
    package struct Place: Equatable, Sendable {
        let filling: [UInt8]
        let end: Int
    }

    private static let mark = Array("baton s1".utf8)
    private static let fillingBytes = 16
    private static let headerBytes = mark.count + fillingBytes + 8
    private static let checksumBytes = 16
    private static let lengthBytes = 8
    /// How long other processes may keep the file locked.
    private static let patience = Duration.seconds(5)

    /// Creates a spool at a path; the file is made when it is needed.
    package init(_ path: String) { self.path = path }

    /// Returns the path of an app's spool for a home: in the person's folder for the state of programs.
    package static func path(
        app: String, home: Home, environment: (String) -> String?
    ) -> String? {
        // Apps, homes and accounts are kept apart by a digest, because their names may have any characters.
        let meant = [app, home.data, home.meant?.text ?? ""].map { "\($0.utf8.count) \($0)" }.joined()
        let digest = SHA256.digest(Array(meant.utf8)).prefix(12).reduce("") { text, byte in
            text + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return StateFolder.path(environment).map { "\($0)/spool/\(digest)" }
    }

    /// Whether no write is left, as far as the size of the file shows.
    package var isEmpty: Bool { SharedFile.size(of: path) == 0 }

    // MARK: Changing the file

    /// Adds a write; returns once it would survive a loss of power.
    package func append(_ write: MarkedWrite) throws(LocalFailure) {
        let body = write.encoded
        try change { (file) throws(NetworkError) -> LocalFailure? in
            var place = try end(of: file)
            guard place - Self.headerBytes + body.count <= Limits.spoolBytes else { return Self.full }
            let size = place
            if place == 0 {
                let filling = Self.random(Self.fillingBytes)
                try file.write(Self.mark + filling + Self.bytes(of: Self.headerBytes), at: 0)
                place = Self.headerBytes
                known.change { $0 = Known(filling: filling, end: place) }
            }
            do throws(NetworkError) {
                try file.write(
                    Self.bytes(of: body.count) + SHA256.digest(body).prefix(Self.checksumBytes) + body,
                    at: place)
                try file.sync()
                if size == 0 { try file.syncName() }
            } catch {
                // Half of a write is of no use; if it can't be removed, the next reader cuts it off.
                known.change { $0 = Known() }
                try file.truncate(to: size)
                throw error
            }
            known.change { $0.end = place + Self.lengthBytes + Self.checksumBytes + body.count }
            return nil
        }
    }

    /// Returns the first write and its place; nil if no write is left.
    package func first() throws(LocalFailure) -> (write: MarkedWrite, place: Place)? {
        var found: (write: MarkedWrite, place: Place)?
        try change { (file) throws(NetworkError) -> LocalFailure? in
            let end = try end(of: file)
            guard end > 0 else { return nil }
            let filling = known.change { $0.filling }
            guard let record = try Self.record(of: file, at: try Self.head(of: file), before: end) else {
                // Nothing is left, and only the emptying was lost.
                try file.truncate(to: 0)
                return nil
            }
            do throws(CBORError) {
                found = (
                    try MarkedWrite(encoded: record.body), Place(filling: filling, end: record.end)
                )
            } catch {
                // A write of another version of the library can't be sent by this one.
                return LocalFailure(
                    .versionMismatch,
                    "The changes in \(path) were kept by another version of Baton, which alone can send them."
                )
            }
            return nil
        }
        return found
    }

    /// Removes the first write, unless another process has done so.
    package func remove(_ place: Place) throws(LocalFailure) {
        try change { (file) throws(NetworkError) -> LocalFailure? in
            let end = try end(of: file)
            guard end > 0, known.change({ $0.filling }) == place.filling else { return nil }
            if place.end >= end {
                try file.truncate(to: 0)
                known.change { $0 = Known() }
            } else if try Self.head(of: file) < place.end {
                // Without waiting for the disk: a write that is sent again is not saved again.
                try file.write(
                    Self.bytes(of: place.end), at: Self.headerBytes - Self.lengthBytes)
            }
            return nil
        }
    }

    /// Locks the file for the closure, whose failures are told in words for a person.
    private func change(
        _ body: (borrowing SharedFile) throws(NetworkError) -> LocalFailure?
    ) throws(LocalFailure) {
        let failure: LocalFailure?
        do throws(NetworkError) {
            let file = try SharedFile(lockedAt: path, deadline: .now + Self.patience)
            failure = try body(file)
        } catch {
            throw LocalFailure(.storage, "Changes can't be kept until a node runs: \(error)")
        }
        if let failure { throw failure }
    }

    private static var full: LocalFailure {
        LocalFailure(
            .quota,
            """
            No node is running, and \(Limits.spoolBytes >> 20) MiB of changes wait for one already. Start the node: \
            `baton service install` has it run in the background.
            """)
    }

    // MARK: Reading the file

    /// Returns the end of the whole writes, after cutting off what follows; 0 for an empty file.
    private func end(of file: borrowing SharedFile) throws(NetworkError) -> Int {
        let size = try file.size
        let header = try file.read(Self.headerBytes, at: 0)
        guard header.count == Self.headerBytes, header.starts(with: Self.mark) else {
            if size > 0 { try file.truncate(to: 0) }
            known.change { $0 = Known() }
            return 0
        }
        let filling = Array(header[Self.mark.count..<Self.mark.count + Self.fillingBytes])
        let standing = known.change { known -> Int? in
            known.filling == filling && known.end <= size ? known.end : nil
        }
        var end: Int
        if let standing { end = standing } else { end = try Self.head(of: file) }
        while let record = try Self.record(of: file, at: end, before: size) { end = record.end }
        if end < size { try file.truncate(to: end) }
        known.change { $0 = Known(filling: filling, end: end) }
        return end
    }

    /// Returns the place of the first write that is left: the one of the header if a write or the end is there, else the
    /// very first.
    private static func head(of file: borrowing SharedFile) throws(NetworkError) -> Int {
        let bytes = try file.read(lengthBytes, at: headerBytes - lengthBytes)
        let (head, size) = (number(bytes), try file.size)
        if head == size { return head }
        return try record(of: file, at: head, before: size) == nil ? headerBytes : head
    }

    /// Reads the write at a place; nil if no whole one is there.
    private static func record(
        of file: borrowing SharedFile, at place: Int, before end: Int
    ) throws(NetworkError) -> (body: [UInt8], end: Int)? {
        guard place >= headerBytes, place <= end - lengthBytes - checksumBytes else { return nil }
        let start = place + lengthBytes + checksumBytes
        let head = try file.read(lengthBytes + checksumBytes, at: place)
        guard head.count == lengthBytes + checksumBytes else { return nil }
        let count = number(Array(head.prefix(lengthBytes)))
        guard count >= 0, count <= Limits.spoolBytes, start + count <= end else { return nil }
        let body = try file.read(count, at: start)
        guard body.count == count,
            SHA256.digest(body).prefix(checksumBytes).elementsEqual(head.dropFirst(lengthBytes))
        else { return nil }
        return (body, start + count)
    }

    private static func bytes(of number: Int) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    private static func number(_ bytes: [UInt8]) -> Int {
        Int(truncatingIfNeeded: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    static func random(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}
