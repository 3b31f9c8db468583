import BatonCore

extension IndexSpool {
    /// The beginning of the file.
    ///
    /// A header has a mark, the random bytes that identify the filling, the offset of the first write that was not
    /// removed, and a checksum. The file has two copies of the header. If one copy is damaged, the other copy still
    /// tells which writes a node has already saved.
    struct Header {
        /// The random bytes that identify the filling: the time from an empty file to the next empty file.
        let filling: [UInt8]
        /// The offset of the first write that was not removed.
        let first: Int

        private static let mark = Array("baton s3".utf8)
        private static let copyBytes = mark.count + fillingBytes + placeBytes + checksumBytes
        /// The number of bytes of both copies together.
        static let byteCount = 2 * copyBytes

        init(filling: [UInt8], first: Int) { (self.filling, self.first) = (filling, first) }

        /// Reads a header; nil if both copies are damaged.
        init?(_ bytes: [UInt8]) {
            let copies = [bytes.prefix(Self.copyBytes), bytes.dropFirst(Self.copyBytes)]
            guard let header = copies.lazy.compactMap({ Self(copy: Array($0)) }).first else { return nil }
            self = header
        }

        private init?(copy: [UInt8]) {
            let checked = copy.dropLast(checksumBytes)
            guard copy.count == Self.copyBytes, copy.starts(with: Self.mark),
                SHA256.digest(Array(checked)).prefix(checksumBytes).elementsEqual(copy.suffix(checksumBytes))
            else { return nil }
            let rest = checked.dropFirst(Self.mark.count)
            self.init(
                filling: Array(rest.prefix(fillingBytes)),
                first: IndexSpool.number(Array(rest.suffix(placeBytes))))
        }

        /// Both copies.
        var bytes: [UInt8] {
            let checked = Self.mark + filling + IndexSpool.bytes(of: first)
            let copy = checked + SHA256.digest(checked).prefix(checksumBytes)
            return copy + copy
        }
    }
}
