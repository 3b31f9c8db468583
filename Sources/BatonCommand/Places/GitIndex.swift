import Glibc

/// Reads the index of git, which lists the files of a working tree and the times when they were written.
enum GitIndex {
    private static let bytesMost = 32 << 20
    private static let filesMost = 100_000

    /// Returns whether files were changed since the last commit, or nil if only git could find out.
    ///
    /// The index at `path` is compared with the files below `root`, and with the tree of the commit that is checked
    /// out. A file that git tracks is changed if its size or time differs, if it is missing, or if a change of the file
    /// is staged.
    static func isChanged(_ path: String, root: String, tree: String, hashBytes: Int) -> Bool? {
        guard let bytes = PlainFile.content(of: path, most: bytesMost) else { return nil }
        var reader = Reader(bytes: bytes, hashBytes: hashBytes)
        guard reader.word() == 0x4449_5243, let version = reader.word(), 2...4 ~= version,
            let count = reader.word(), count <= filesMost
        else { return nil }
        var folders = Folders(root: root)
        for _ in 0..<count {
            guard let entry = reader.entry(version: version) else { return nil }
            if entry.isUnmerged { return true }
            guard !entry.isSkipped else { continue }
            guard let isSame = folders.isSame(entry) else { return nil }
            if !isSame { return true }
        }
        // After a change was staged, the index has another tree or no tree. An index may have no tree for other
        // reasons, too, so the result is nil then.
        return reader.tree().map { $0 != tree }
    }

    /// A file of the index.
    private struct Entry {
        var path: [UInt8]
        var seconds: Int
        var nanoseconds: Int
        var size: Int
        var isLink: Bool
        var isUnmerged: Bool
        /// Whether the file is not checked, because it may be absent, or because it is a submodule or a folder.
        var isSkipped: Bool
    }

    private struct Reader {
        let bytes: [UInt8]
        let hashBytes: Int
        var position = 0
        var path: [UInt8] = []

        init(bytes: [UInt8], hashBytes: Int) { (self.bytes, self.hashBytes) = (bytes, hashBytes) }

        mutating func word(_ count: Int = 4) -> Int? {
            guard position + count <= bytes.count else { return nil }
            defer { position += count }
            return bytes[position..<(position + count)].reduce(0) { $0 << 8 | Int($1) }
        }

        mutating func entry(version: Int) -> Entry? {
            let start = position
            var words: [Int] = []
            for _ in 0..<10 {
                guard let word = word() else { return nil }
                words.append(word)
            }
            position += hashBytes
            guard let flags = word(2) else { return nil }
            var more = 0
            if flags & 0x4000 != 0 {
                guard version > 2, let found = word(2) else { return nil }
                more = found
            }
            if version == 4 {
                guard let removed = distance(), removed <= path.count else { return nil }
                path.removeLast(removed)
            } else {
                path = []
            }
            guard position <= bytes.count, let end = bytes[position...].firstIndex(of: 0) else { return nil }
            path += bytes[position..<end]
            position = version == 4 ? end + 1 : start + ((end - start) / 8 + 1) * 8
            let kind = words[6] >> 12
            return Entry(
                path: path, seconds: words[2], nanoseconds: words[3], size: words[9], isLink: kind == 0o12,
                isUnmerged: flags & 0x3000 != 0 || more & 0x2000 != 0,
                isSkipped: flags & 0x8000 != 0 || more & 0x4000 != 0 || kind == 0o16 || kind == 0o4)
        }

        /// Reads the number before a path in version 4: how many bytes to remove from the end of the previous path.
        private mutating func distance() -> Int? {
            guard var byte = word(1) else { return nil }
            var value = byte & 0x7f
            while byte & 0x80 != 0 {
                guard value < 1 << 32, let next = word(1) else { return nil }
                byte = next
                value = (value + 1) << 7 | byte & 0x7f
            }
            return value
        }

        /// Returns the hash of the staged tree, or nil if the index does not contain it.
        ///
        /// The result is also nil if the index has an extension that git marks as mandatory and this program does not
        /// know.
        mutating func tree() -> String? {
            while position + 8 + hashBytes <= bytes.count {
                guard let name = word(), let size = word(), position + size <= bytes.count else { return nil }
                defer { position += size }
                if name >> 24 >= 0x61, name != 0x7364_6972 { return nil }
                guard name == 0x5452_4545 else { continue }
                // The extension lists trees. Each one has a name that ends with a zero byte, the number of files, a
                // space, the number of subtrees, a newline, and its hash. The first one is the whole tree.
                let content = bytes[position..<(position + size)]
                guard let zero = content.firstIndex(of: 0), zero == content.startIndex,
                    let end = content.firstIndex(of: UInt8(ascii: "\n")),
                    content[zero + 1] != UInt8(ascii: "-"),
                    end + hashBytes < content.endIndex
                else { return nil }
                let hash = content[(end + 1)...].prefix(hashBytes)
                return hash.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            }
            return nil
        }
    }

    /// Compares files with the index.
    ///
    /// Every folder on the way to a file must be a real folder, and not a link.
    private struct Folders {
        let root: String
        private var isReal: [ArraySlice<UInt8>: Bool] = [:]

        init(root: String) { self.root = root }

        /// Whether a file is in the state that the index records, or nil if the path is not allowed in an index.
        mutating func isSame(_ entry: Entry) -> Bool? {
            let parts = entry.path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            let isPlain = parts.allSatisfy { part in
                !part.isEmpty && part.count < 256 && !part.elementsEqual(".".utf8)
                    && !part.elementsEqual("..".utf8)
                    && !part.elementsEqual(".git".utf8)
            }
            guard isPlain, parts.count <= 100 else { return nil }
            for part in parts.dropLast() where !isFolder(entry.path[..<part.endIndex]) { return false }
            var status = stat()
            guard lstat(path(entry.path[...]), &status) == 0 else { return false }
            let kind = status.st_mode & S_IFMT
            guard kind == (entry.isLink ? S_IFLNK : S_IFREG) else { return false }
            // The index has size zero for a file that may have changed while it was indexed. On some systems, it has no
            // nanoseconds. Swift does not import the fields of `timespec`, which are two 64-bit integers.
            let time = withUnsafeBytes(of: &status.st_mtim) { bytes in
                (
                    seconds: bytes.loadUnaligned(as: Int.self),
                    nanoseconds: bytes.loadUnaligned(fromByteOffset: 8, as: Int.self)
                )
            }
            return time.seconds & 0xffff_ffff == entry.seconds
                && (entry.nanoseconds == 0 || time.nanoseconds == entry.nanoseconds)
                && (entry.size == 0 || Int(status.st_size) & 0xffff_ffff == entry.size)
        }

        private mutating func isFolder(_ folder: ArraySlice<UInt8>) -> Bool {
            if let known = isReal[folder] { return known }
            var status = stat()
            let isFolder = lstat(path(folder), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            isReal[folder] = isFolder
            return isFolder
        }

        private func path(_ inner: ArraySlice<UInt8>) -> [CChar] {
            (Array(root.utf8) + [UInt8(ascii: "/")] + inner + [0]).map { CChar(bitPattern: $0) }
        }
    }
}
