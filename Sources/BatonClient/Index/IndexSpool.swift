package import BatonCore
import BatonNetwork

/// The writes of an app that no node has taken yet, in a file that all processes of the app share.
///
/// The file begins with two copies of a header. Each write follows between two equal labels, a head and a foot. A label
/// begins with the random bytes of the header, and has the name of the index, the length of the write and checksums. If
/// one label is damaged, the reader uses the other label. The reader also finds the writes that follow a damaged write.
/// So damage destroys only the writes that it hit, and the reader can tell that they are lost.
///
/// A write counts once it is complete and on the disk. An incomplete write at the end is cut off. When the last write
/// has been removed, the file is emptied. After a loss of power, the writes that were removed last may return. The app
/// may send them again without harm, because a node remembers the names of more writes than can return.
package final class IndexSpool: Sendable {
    private let path: String
    /// Facts about the file that this process has already found out, so that it reads nothing twice.
    private let known = Monitor(Known())

    private struct Known: Sendable {
        /// The random bytes of the header.
        var filling: [UInt8] = []
        /// The offset up to which all writes were checked, and found to be complete or damaged.
        var end = 0
        /// The number of writes that were removed since the header was last synced.
        var unsyncedCount = 0
    }

    /// The position of a write in the file, which is valid until the file is emptied.
    package struct Place: Equatable, Sendable {
        let filling: [UInt8]
        package let end: Int

        package init(filling: [UInt8], end: Int) { (self.filling, self.end) = (filling, end) }
    }

    /// The content of the file at a position.
    package enum Entry: Equatable, Sendable {
        case write(MarkedWrite)
        /// Bytes that can no longer be read: of one write to this index, or of an unknown number of writes to any
        /// index.
        case damage(ClientStateName?, bytes: Int)
    }

    static let fillingBytes = 16
    static let placeBytes = 8
    static let checksumBytes = 16
    /// The largest number of writes that are removed before the header is synced.
    private static let unsyncedMost = BatchMark.writersMost / 4
    /// How long to wait for another process that has locked the file.
    private static let patience = Duration.seconds(5)

    /// Creates a spool at a path, where the file is created when the first write is added.
    package init(_ path: String) { self.path = path }

    /// Returns the path of an app's spool for a home, in the folder where the person's programs keep state.
    package static func path(
        app: String, home: Home, environment: (String) -> String?
    ) -> String? {
        // A digest names the file, because the names of apps, homes and accounts may have any characters.
        let meant = [app, home.data, home.meant?.text ?? ""].map { "\($0.utf8.count) \($0)" }.joined()
        let digest = SHA256.digest(Array(meant.utf8)).prefix(12).reduce("") { text, byte in
            text + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return StateFolder.path(environment).map { "\($0)/spool/\(digest)" }
    }

    /// Whether no write is left, judged by the size of the file.
    package var isEmpty: Bool { SharedFile.size(of: path) == 0 }

    // MARK: Changing the file

    /// Adds writes in their order until there is no more room, and returns how many writes were added.
    ///
    /// The added writes survive a loss of power.
    package func append(_ writes: [MarkedWrite]) throws(LocalFailure) -> Int {
        var addedCount = 0
        try change { (file) throws(NetworkError) -> LocalFailure? in
            let found = try header(of: file)
            let header =
                found ?? Header(filling: Self.random(Self.fillingBytes), first: Header.byteCount)
            let size = found == nil ? 0 : try end(of: file, header)
            var end = max(size, Header.byteCount)
            do throws(NetworkError) {
                if size == 0 { try file.write(header.bytes, at: 0) }
                for write in writes {
                    let body = write.encoded
                    guard end - Header.byteCount + body.count <= Limits.spoolBytes else { break }
                    let label = Label(header.filling, write.write.index, body)
                    let record = label.bytes(.head) + body + label.bytes(.foot)
                    try file.write(record, at: end)
                    (end, addedCount) = (end + record.count, addedCount + 1)
                }
                guard addedCount > 0 else {
                    try file.truncate(to: size)
                    return nil
                }
                try file.sync()
                if size == 0 { try file.syncName() }
            } catch {
                // An incomplete write is of no use. If it can't be removed now, the next reader cuts it off.
                known.change { $0 = Known() }
                try file.truncate(to: size)
                throw error
            }
            known.change { ($0.filling, $0.end) = (header.filling, end) }
            return nil
        }
        return addedCount
    }

    /// Returns the first entry, which is a write or damage; nil if nothing is left.
    package func first() throws(LocalFailure) -> (entry: Entry, place: Place)? {
        var found: (entry: Entry, place: Place)?
        try change { (file) throws(NetworkError) -> LocalFailure? in
            guard let header = try header(of: file) else { return nil }
            let end = try end(of: file, header)
            guard let record = try Self.record(of: file, at: header.first, header.filling, before: end) else {
                // No write is left. The file was already emptied, but a loss of power undid that.
                try file.truncate(to: 0)
                known.change { $0 = Known() }
                return nil
            }
            let place = Place(filling: header.filling, end: record.end)
            switch record.content {
            case .damage(let index): found = (.damage(index, bytes: record.end - header.first), place)
            case .body(let body):
                do throws(CBORError) {
                    found = (.write(try MarkedWrite(encoded: body)), place)
                } catch {
                    // Only the version of the library that encoded the write can send it.
                    return LocalFailure(
                        .versionMismatch,
                        "The changes in \(path) were kept by another version of Baton, which alone can send them."
                    )
                }
            }
            return nil
        }
        return found
    }

    /// Removes the first entry, a write or damage, unless another process has already removed it.
    package func remove(_ place: Place) throws(LocalFailure) {
        try change { (file) throws(NetworkError) -> LocalFailure? in
            guard let header = try header(of: file), header.filling == place.filling else { return nil }
            if place.end >= (try end(of: file, header)) {
                try file.truncate(to: 0)
                known.change { $0 = Known() }
            } else if header.first < place.end {
                try file.write(Header(filling: header.filling, first: place.end).bytes, at: 0)
                // The header is not synced each time, because a node does not save a write twice.
                let isDue = known.change { known in
                    known.unsyncedCount = (known.unsyncedCount + 1) % Self.unsyncedMost
                    return known.unsyncedCount == 0
                }
                if isDue { try file.sync() }
            }
            return nil
        }
    }

    /// Locks the file and runs the closure; turns an error of the system into a failure for a person.
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

    /// The failure if the spool has no room for a write.
    package static var full: LocalFailure {
        LocalFailure(
            .quota,
            """
            No node is running, and \(Limits.spoolBytes >> 20) MiB of changes wait for one already. Start the node: \
            `baton service install` has it run in the background.
            """)
    }

    // MARK: The header

    /// Returns the header of the file; nil for an empty file.
    ///
    /// If both copies of the header are damaged, the random bytes are read from the first intact label, and a new
    /// header is written. If there is no intact label either, everything after the header is damage.
    private func header(of file: borrowing SharedFile) throws(NetworkError) -> Header? {
        let size = try file.size
        if let header = Header(try file.read(Header.byteCount, at: 0)) {
            return header.first <= size
                ? header : Header(filling: header.filling, first: Header.byteCount)
        }
        guard size >= Header.byteCount + Label.bytesLeast else {
            // The process that wrote the first write ended before the write was complete.
            if size > 0 { try file.truncate(to: 0) }
            known.change { $0 = Known() }
            return nil
        }
        let label = try Self.firstLabel(from: Header.byteCount, of: file, nil, before: size)?.label
        let header = Header(
            filling: label?.filling ?? Self.random(Self.fillingBytes), first: Header.byteCount)
        try file.write(header.bytes, at: 0)
        return header
    }

    // MARK: Labels

    /// The bytes that stand before a write and are repeated after it.
    private struct Label: Equatable {
        let filling: [UInt8]
        /// The encoded name of the index.
        let index: [UInt8]
        /// The length of the write.
        let count: Int
        /// The checksum of the write.
        let checksum: [UInt8]

        /// The side of a write on which a label stands: before or after it.
        enum End: UInt8 {
            case head = 1
            case foot = 2
        }

        /// The number of bytes of a label, without the name of its index.
        static let bytesLeast = fillingBytes + 1 + 2 + placeBytes + 2 * checksumBytes

        /// The number of bytes that `mayBegin` looks at: up to the upper half of the length of the write.
        static let beginningBytes = fillingBytes + 3 + 4

        /// Whether a label may begin with these bytes; without a filling, the label may belong to any filling.
        static func mayBegin(_ bytes: ArraySlice<UInt8>, _ filling: [UInt8]?) -> Bool {
            let start = bytes.startIndex
            guard End(rawValue: bytes[start + fillingBytes]) != nil,
                bytes[(start + fillingBytes + 3)..<(start + beginningBytes)].allSatisfy({ $0 == 0 })
            else { return false }
            return filling.map { bytes.starts(with: $0) } ?? true
        }

        init(_ filling: [UInt8], _ index: ClientStateName, _ body: [UInt8]) {
            (self.filling, self.index, count) = (filling, Array(index.key.name), body.count)
            checksum = Array(SHA256.digest(body).prefix(checksumBytes))
        }

        /// Reads a label, and the side on which it stands; nil if the label is damaged, or the bytes are not a label.
        static func read(_ bytes: [UInt8]) -> (label: Label, end: End)? {
            guard bytes.count >= bytesLeast, let end = End(rawValue: bytes[fillingBytes]) else { return nil }
            let nameCount = number(Array(bytes[(fillingBytes + 1)..<(fillingBytes + 3)]))
            guard bytes.count >= bytesLeast + nameCount else { return nil }
            var rest = bytes[(fillingBytes + 3)...]
            func next(_ count: Int) -> [UInt8] {
                defer { rest = rest.dropFirst(count) }
                return Array(rest.prefix(count))
            }
            let (count, checksum, index) = (number(next(placeBytes)), next(checksumBytes), next(nameCount))
            let label = Label(
                filling: Array(bytes.prefix(fillingBytes)), index: index, count: count, checksum: checksum)
            guard count >= 0, count <= Limits.spoolBytes,
                label.bytes(end).elementsEqual(bytes.prefix(bytesLeast + nameCount))
            else { return nil }
            return (label, end)
        }

        private init(filling: [UInt8], index: [UInt8], count: Int, checksum: [UInt8]) {
            self.filling = filling
            self.index = index
            self.count = count
            self.checksum = checksum
        }

        func bytes(_ end: End) -> [UInt8] {
            let name = [UInt8(index.count >> 8 & 0xff), UInt8(index.count & 0xff)]
            let checked = filling + [end.rawValue] + name + IndexSpool.bytes(of: count) + checksum + index
            return checked + SHA256.digest(checked).prefix(checksumBytes)
        }

        /// The number of bytes of the label.
        var byteCount: Int { Self.bytesLeast + index.count }

        /// The name of the index of the write; nil if the name can't be read.
        var name: ClientStateName? {
            do throws(CBORError) {
                return try ClientStateName(RecordKey(kind: ClientStateName.kind, name: index))
            } catch {
                return nil
            }
        }
    }

    /// Returns the label at an offset; nil if there is no intact label.
    ///
    /// Without a filling, the label may belong to any filling.
    private static func label(
        of file: borrowing SharedFile, at place: Int, _ filling: [UInt8]?, before end: Int
    ) throws(NetworkError) -> (label: Label, end: Label.End)? {
        guard place >= Header.byteCount, place <= end - Label.bytesLeast else { return nil }
        let start = try file.read(fillingBytes + 3, at: place)
        guard start.count == fillingBytes + 3, filling.map({ start.starts(with: $0) }) ?? true else {
            return nil
        }
        let nameCount = number(Array(start.suffix(2)))
        return Label.read(try file.read(min(Label.bytesLeast + nameCount, end - place), at: place))
    }

    /// Returns the first intact label at an offset or after it, with its own offset; nil if there is none.
    ///
    /// Without a filling, the label may belong to any filling.
    private static func firstLabel(
        from place: Int, of file: borrowing SharedFile, _ filling: [UInt8]?, before end: Int
    ) throws(NetworkError) -> (label: Label, end: Label.End, place: Int)? {
        let portionBytes = 1 << 20
        var start = place
        while start <= end - Label.bytesLeast {
            let portion = try file.read(min(portionBytes + Label.beginningBytes - 1, end - start), at: start)
            guard portion.count >= Label.beginningBytes else { return nil }
            for offset in 0...(portion.count - Label.beginningBytes)
            where Label.mayBegin(portion[offset...], filling) {
                if let found = try label(of: file, at: start + offset, filling, before: end) {
                    return (found.label, found.end, start + offset)
                }
            }
            start += portionBytes
        }
        return nil
    }

    // MARK: Records

    /// A write with its two labels, or damage.
    private struct Record {
        enum Content {
            case body([UInt8])
            case damage(ClientStateName?)
        }

        let content: Content
        /// The offset of the byte after the record.
        let end: Int
    }

    /// Cuts off an incomplete write at the end of the file, and returns the new end.
    private func end(of file: borrowing SharedFile, _ header: Header) throws(NetworkError) -> Int {
        let size = try file.size
        var end =
            known.change { known in
                known.filling == header.filling && known.end <= size ? known.end : nil
            } ?? header.first
        while let record = try Self.record(of: file, at: end, header.filling, before: size) {
            end = record.end
        }
        if end < size { try file.truncate(to: end) }
        known.change { ($0.filling, $0.end) = (header.filling, end) }
        return end
    }

    /// Reads the write or the damage at an offset; nil at the end, or if only an incomplete write follows.
    private static func record(
        of file: borrowing SharedFile, at place: Int, _ filling: [UInt8], before end: Int
    ) throws(NetworkError) -> Record? {
        guard place < end else { return nil }
        if let (label, side) = try label(of: file, at: place, filling, before: end), side == .head {
            let start = place + label.byteCount
            let behind = start + label.count + label.byteCount
            guard behind <= end else { return nil }
            let body = try body(of: file, at: start, label)
            return Record(content: body.map { .body($0) } ?? .damage(label.name), end: behind)
        }
        // The head is damaged. If the next label is a foot, the bytes before it belong to the same write.
        guard let next = try firstLabel(from: place + 1, of: file, filling, before: end) else {
            let isCutOff = try isCutOffLabel(of: file, at: place, filling, before: end)
            return isCutOff ? nil : Record(content: .damage(nil), end: end)
        }
        guard next.end == .foot else { return Record(content: .damage(nil), end: next.place) }
        let behind = next.place + next.label.byteCount
        guard next.place - next.label.count - next.label.byteCount == place else {
            return Record(content: .damage(nil), end: behind)
        }
        let body = try body(of: file, at: next.place - next.label.count, next.label)
        return Record(content: body.map { .body($0) } ?? .damage(next.label.name), end: behind)
    }

    /// Whether the file ends in the middle of a head, because the process that wrote it has ended.
    private static func isCutOffLabel(
        of file: borrowing SharedFile, at place: Int, _ filling: [UInt8], before end: Int
    ) throws(NetworkError) -> Bool {
        let start = try file.read(min(fillingBytes + 3, end - place), at: place)
        guard start.prefix(fillingBytes).elementsEqual(filling.prefix(start.count)) else { return false }
        guard start.count == fillingBytes + 3 else { return true }
        let nameCount = number(Array(start.suffix(2)))
        return nameCount <= RecordKey.nameBytes && end - place < Label.bytesLeast + nameCount
    }

    /// Reads a write; nil if it is damaged.
    private static func body(
        of file: borrowing SharedFile, at place: Int, _ label: Label
    ) throws(NetworkError) -> [UInt8]? {
        let body = try file.read(label.count, at: place)
        guard body.count == label.count,
            SHA256.digest(body).prefix(checksumBytes).elementsEqual(label.checksum)
        else { return nil }
        return body
    }

    static func bytes(of number: Int) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    static func number(_ bytes: [UInt8]) -> Int {
        Int(truncatingIfNeeded: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    static func random(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}
