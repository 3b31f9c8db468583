import Glibc

/// The parts of a commit that are needed to find its ancestors.
struct GitCommit: Equatable {
    var tree: String
    var parents: [String]
    /// The time of the commit, in seconds since 1970.
    var time: Int64

    /// The largest number of parents that are read.
    private static let parentsMost = 64

    /// Parses the content of a commit object; nil if it names no tree.
    init?(_ bytes: [UInt8]) {
        var (tree, parents, time): (String?, [String], Int64) = (nil, [], 0)
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if line.isEmpty { break }
            let words = line.split(separator: UInt8(ascii: " "))
            guard words.count > 1 else { continue }
            let word = { (place: Int) in String(decoding: words[place], as: UTF8.self) }
            switch word(0) {
            case "tree": tree = word(1)
            case "parent" where parents.count < Self.parentsMost: parents.append(word(1))
            case "committer": time = Int64(word(words.count - 2)) ?? 0
            default: break
            }
        }
        guard let tree else { return nil }
        (self.tree, self.parents, self.time) = (tree, parents, time)
    }
}

/// Reads the objects of one repository: whether an object exists, and the content of commits.
///
/// The files are not trusted. Every offset and size is checked, and the amount that is read and the length of delta
/// chains are limited. The content of an object is not compared with its hash.
final class GitObjects {
    private let hashBytes: Int
    private let folders: [String]
    private let packs: [Pack]

    /// The maximum size of a commit object in bytes.
    private static let commitBytes = 1 << 20
    private static let packsMost = 200
    private static let alternatesMost = 8
    /// The maximum length of the chain of deltas from which an object is built.
    private static let chainMost = 64

    /// Opens the objects in a folder, and in the folders of other repositories that the file `info/alternates` lists.
    init(_ folder: String, hashBytes: Int) {
        self.hashBytes = hashBytes
        var folders = [folder]
        var next = 0
        while next < folders.count {
            let place = folders[next]
            next += 1
            guard let bytes = PlainFile.content(of: place + "/info/alternates", most: 64 << 10) else {
                continue
            }
            for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            where !line.hasPrefix("#") {
                let path = line.hasPrefix("/") ? String(line) : place + "/" + line
                if folders.count < Self.alternatesMost, !folders.contains(path) { folders.append(path) }
            }
        }
        var packs: [Pack] = []
        for folder in folders {
            let names = PlainFile.names(in: folder + "/pack", most: 10_000) ?? []
            for name in names.sorted() where name.hasPrefix("pack-") && name.hasSuffix(".idx") {
                guard packs.count < Self.packsMost else { break }
                let path = folder + "/pack/" + name.dropLast(4)
                if let pack = Pack(path, hashBytes: hashBytes) { packs.append(pack) }
            }
        }
        (self.folders, self.packs) = (folders, packs)
    }

    /// Whether the repository contains an object with this name.
    func contains(_ name: String) -> Bool {
        guard let hash = hash(name) else { return false }
        return looseFile(name) != nil || packs.contains { $0.offset(of: hash) != nil }
    }

    /// Returns a commit, or nil if there is no such object or the object is not a commit.
    func commit(_ name: String) -> GitCommit? {
        guard let hash = hash(name), case (.commit, let bytes)? = object(name, hash, depth: 0) else {
            return nil
        }
        return GitCommit(bytes)
    }

    // MARK: Reading

    private enum Kind: Equatable { case commit, other }

    private func hash(_ name: String) -> [UInt8]? {
        let digits = name.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == hashBytes * 2, name.utf8.count == digits.count else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private func looseFile(_ name: String) -> PlainFile? {
        for folder in folders {
            if let file = PlainFile("\(folder)/\(name.prefix(2))/\(name.dropFirst(2))") { return file }
        }
        return nil
    }

    private func object(_ name: String, _ hash: [UInt8], depth: Int) -> (kind: Kind, bytes: [UInt8])? {
        for pack in packs {
            if let offset = pack.offset(of: hash) { return object(in: pack, at: offset, depth: depth) }
        }
        guard let file = looseFile(name), file.size <= Self.commitBytes,
            let bytes = Inflater.inflate(file.read(file.size, at: 0), most: Self.commitBytes),
            let end = bytes.firstIndex(of: 0)
        else { return nil }
        let kind: Kind = bytes.starts(with: "commit ".utf8) ? .commit : .other
        return (kind, Array(bytes[(end + 1)...]))
    }

    private func object(in pack: Pack, at offset: Int, depth: Int) -> (kind: Kind, bytes: [UInt8])? {
        guard depth < Self.chainMost, let entry = pack.entry(at: offset), entry.size <= Self.commitBytes,
            let bytes = pack.inflate(entry)
        else { return nil }
        switch entry.base {
        case nil: return (entry.type == 1 ? Kind.commit : Kind.other, bytes)
        case .offset(let base)?:
            guard let old = object(in: pack, at: base, depth: depth + 1) else { return nil }
            return Self.apply(bytes, to: old.bytes).map { (old.kind, $0) }
        case .hash(let base)?:
            let name = base.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            guard let old = object(name, base, depth: depth + 1) else { return nil }
            return Self.apply(bytes, to: old.bytes).map { (old.kind, $0) }
        }
    }

    /// Applies a delta to its base object; returns nil if the delta is malformed.
    private static func apply(_ delta: [UInt8], to base: [UInt8]) -> [UInt8]? {
        var rest = delta[...]
        guard readSize(&rest) == base.count, let size = readSize(&rest), size <= commitBytes else {
            return nil
        }
        var output: [UInt8] = []
        while let command = rest.popFirst() {
            if command & 0x80 != 0 {
                var (offset, count) = (0, 0)
                for place in 0..<7 where command & 1 << UInt8(place) != 0 {
                    guard let byte = rest.popFirst() else { return nil }
                    if place < 4 {
                        offset |= Int(byte) << (8 * place)
                    } else {
                        count |= Int(byte) << (8 * (place - 4))
                    }
                }
                if count == 0 { count = 0x10000 }
                guard offset + count <= base.count, output.count + count <= size else { return nil }
                output += base[offset..<(offset + count)]
            } else {
                let count = Int(command)
                guard count > 0, count <= rest.count, output.count + count <= size else { return nil }
                output += rest.prefix(count)
                rest = rest.dropFirst(count)
            }
        }
        return output.count == size ? output : nil
    }

    private static func readSize(_ rest: inout ArraySlice<UInt8>) -> Int? {
        var (size, shift) = (0, 0)
        while let byte = rest.popFirst(), shift < 49 {
            size |= Int(byte & 0x7f) << shift
            if byte & 0x80 == 0 { return size }
            shift += 7
        }
        return nil
    }
}

/// A pack file, which contains many objects, and the index file that says where they are.
private final class Pack {
    private let hashBytes: Int
    private let index: PlainFile
    private let path: String
    private let count: Int
    private lazy var file = PlainFile(path + ".pack")

    /// The offset of the names in an index file of version 2.
    ///
    /// A header and 256 counts precede them.
    private static let names = 8 + 256 * 4

    /// The header of an object in the pack file.
    struct Entry {
        var type: Int
        var size: Int
        var base: Base?
        /// The offset at which the object's compressed content begins.
        var content: Int
    }

    /// The object to which a delta is applied, by its offset in the pack file or by its name.
    enum Base {
        case offset(Int)
        case hash([UInt8])
    }

    init?(_ path: String, hashBytes: Int) {
        guard let index = PlainFile(path + ".idx"),
            index.read(8, at: 0) == [0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2]
        else { return nil }
        (self.path, self.index, self.hashBytes) = (path, index, hashBytes)
        count = Self.number(index.read(4, at: 8 + 255 * 4)) ?? 0
        guard Self.names + count * (hashBytes + 8) <= index.size else { return nil }
    }

    private static func number(_ bytes: [UInt8]) -> Int? {
        bytes.count == 4 || bytes.count == 8 ? bytes.reduce(0) { $0 << 8 | Int($1) } : nil
    }

    /// Returns the offset of an object in the pack file, or nil if the pack file does not contain it.
    func offset(of hash: [UInt8]) -> Int? {
        let first = Int(hash[0])
        guard var high = Self.number(index.read(4, at: 8 + first * 4)),
            var low = first == 0 ? 0 : Self.number(index.read(4, at: 8 + (first - 1) * 4)), high <= count
        else { return nil }
        while low < high {
            let middle = (low + high) / 2
            let name = index.read(hashBytes, at: Self.names + middle * hashBytes)
            guard name.count == hashBytes else { return nil }
            if name == hash { return offset(at: middle) }
            if name.lexicographicallyPrecedes(hash) { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    private func offset(at place: Int) -> Int? {
        let offsets = Self.names + count * (hashBytes + 4)
        guard let offset = Self.number(index.read(4, at: offsets + place * 4)) else { return nil }
        guard offset & 0x8000_0000 != 0 else { return offset }
        let large = index.read(8, at: offsets + count * 4 + (offset & 0x7fff_ffff) * 8)
        return large.first.map { $0 < 0x80 } == true ? Self.number(large) : nil
    }

    /// Reads the header of the object at an offset.
    func entry(at offset: Int) -> Entry? {
        guard let file else { return nil }
        let head = file.read(32 + hashBytes, at: offset)
        guard let first = head.first else { return nil }
        var size = Int(first & 15)
        var shift = 4
        var place = 1
        var last = first
        while last & 0x80 != 0 {
            guard place < head.count, shift < 49 else { return nil }
            last = head[place]
            size |= Int(last & 0x7f) << shift
            (place, shift) = (place + 1, shift + 7)
        }
        var base: Base?
        switch first >> 4 & 7 {
        case 6:
            var back = 0
            repeat {
                guard place < head.count, back < 1 << 48 else { return nil }
                last = head[place]
                back = back << 7 | Int(last & 0x7f)
                place += 1
                if last & 0x80 != 0 { back += 1 }
            } while last & 0x80 != 0
            guard back > 0, back <= offset else { return nil }
            base = .offset(offset - back)
        case 7:
            guard place + hashBytes <= head.count else { return nil }
            base = .hash(Array(head[place..<(place + hashBytes)]))
            place += hashBytes
        default: break
        }
        return Entry(type: Int(first >> 4 & 7), size: size, base: base, content: offset + place)
    }

    /// Decompresses the content of an object; returns nil if it is damaged.
    func inflate(_ entry: Entry) -> [UInt8]? {
        guard let file else { return nil }
        // Compressed content can be a little larger than the object itself.
        let bytes = file.read(entry.size + entry.size >> 8 + 256, at: entry.content)
        guard let content = Inflater.inflate(bytes, most: entry.size) else { return nil }
        return content.count == entry.size ? content : nil
    }
}
