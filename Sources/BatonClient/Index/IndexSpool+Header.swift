import BatonCore

extension IndexSpool {
    /// The beginning of the file: a mark, random bytes that name the filling, the place of the first write that is
    /// left, and a checksum.
    ///
    /// The file has two copies, so that damage to one of them brings back no write that a node has saved.
    struct Header {
        /// The random bytes that name the filling.
        let filling: [UInt8]
        /// The place of the first write that is left.
        let first: Int

        private static let mark = Array("baton s3".utf8)
        private static let copyBytes = mark.count + fillingBytes + placeBytes + checksumBytes
        /// The number of bytes of both copies.
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
