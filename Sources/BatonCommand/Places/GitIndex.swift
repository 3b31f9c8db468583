import Glibc

/// The index of git, which lists the files of a working tree and when they were written.
enum GitIndex {
    private static let bytesMost = 32 << 20
    private static let filesMost = 100_000

    /// Returns whether files were changed since the last commit; nil if that can't be known without git.
    ///
    /// A file is changed if git tracks it and its size or time differs, it is missing, or a change of it is staged.
    /// Compares the index at a path with the files below `root`, and with the tree of the commit that is checked out.
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
        // Staged changes leave the index with another tree or without one. Without one, the result is nil, because that
        // can have other reasons.
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
        /// Whether the file is not checked: it may be absent, or is a submodule or a folder.
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

        /// Reads the number that version 4 writes before each path.
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

        /// Returns the hash of the staged tree; nil if the index does not have it, or has an unknown extension that git
        /// marks as mandatory.
        mutating func tree() -> String? {
            while position + 8 + hashBytes <= bytes.count {
                guard let name = word(), let size = word(), position + size <= bytes.count else { return nil }
                defer { position += size }
                if name >> 24 >= 0x61, name != 0x7364_6972 { return nil }
                guard name == 0x5452_4545 else { continue }
                // Each tree is its name and a zero, the number of files, a space, the number of subtrees, a line break,
                // and its hash.
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

    /// The folders of a working tree; none of them may be a link.
    private struct Folders {
        let root: String
        private var isReal: [ArraySlice<UInt8>: Bool] = [:]

        init(root: String) { self.root = root }

        /// Whether a file has the state that the index has for it; nil for a path that is not allowed in an index.
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
            // The index has size zero for a file that may have changed while it was indexed, and nanoseconds only on
            // some systems. Swift does not see the fields of `timespec`, which are two 64-bit integers.
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
