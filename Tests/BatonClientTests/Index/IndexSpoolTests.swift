import BatonClient
import BatonCore
import ClientSupport
import Foundation
import Support
import Testing

@Suite struct `The spool of an app` {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/state/baton/spool/app"
    }

    private static func write(_ number: UInt64, bytes: Int = 10) -> MarkedWrite {
        let index = ClientStateName(app: "org.example.notes", index: "all")
        var attributes = AttributeSet()
        attributes[.title] = .plain(.string(String(repeating: "x", count: bytes)))
        let changes: [IndexChange] = [.item("\(number)", Item(attributes: attributes)), .deletion("old")]
        return MarkedWrite(
            mark: BatchMark(writer: [UInt8](repeating: 7, count: BatchMark.writerBytes), number: number),
            write: IndexWrite(index, ChangeIndex.parts(index, changes), state: [UInt8(number)]))
    }

    /// Takes everything out of a spool.
    private func emptyAll(_ spool: IndexSpool) throws -> [IndexSpool.Entry] {
        var entries: [IndexSpool.Entry] = []
        while let (entry, place) = try spool.first() {
            entries.append(entry)
            try spool.remove(place)
        }
        return entries
    }

    /// Takes all writes out of a spool in which nothing is damaged.
    private func empty(_ spool: IndexSpool) throws -> [MarkedWrite] {
        try emptyAll(spool).map { entry in
            guard case .write(let write) = entry else { throw DeadlinePassed(description: "\(entry)") }
            return write
        }
    }

    /// The number of the write with which a spool begins.
    private func firstNumber(_ spool: IndexSpool) throws -> UInt64? {
        guard case .write(let write)? = try spool.first()?.entry else { return nil }
        return write.mark.number
    }

    @Test func `writes are read in the order in which they were appended`() throws {
        let spool = IndexSpool(path)
        #expect(spool.isEmpty)
        #expect(try spool.first() == nil)
        let writes = (1...5).map { Self.write($0) }
        for write in writes { try spool.append(write) }
        #expect(!spool.isEmpty)
        #expect(try empty(spool) == writes)
        #expect(spool.isEmpty)
        try spool.append(writes[0])
        #expect(try empty(IndexSpool(path)) == [writes[0]], "also by a later process")
    }

    @Test func `several writes are appended in one call, behind the writes that the spool already has`()
        throws
    {
        let spool = IndexSpool(path)
        let writes = (1...4).map { Self.write($0) }
        try spool.append(writes[0])
        #expect(try spool.append(Array(writes.dropFirst())) == 3)
        #expect(try spool.append([]) == 0)
        #expect(try empty(IndexSpool(path)) == writes)
    }

    @Test func `appending several writes stops at the first write for which the spool has no room`() throws {
        let spool = IndexSpool(path)
        let small = Self.write(1)
        let large = MarkedWrite(
            mark: small.mark,
            write: IndexWrite(
                small.write.index,
                [ChangeIndex](repeating: Self.write(1, bytes: 1 << 20).write.parts[0], count: 65)))
        #expect(try spool.append([large, small]) == 0 && spool.isEmpty)
        #expect(try spool.append([small, large, small]) == 1)
        #expect(throws: LocalFailure.self) { try spool.append(large) }
        #expect(try empty(IndexSpool(path)) == [small])
    }

    @Test func `no other user can read the spool or its folder`() throws {
        try IndexSpool(path).append(Self.write(1))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let folder = try FileManager.default.attributesOfItem(atPath: self.folder.path + "/state/baton")
        #expect(folder[.posixPermissions] as? Int == 0o700)
    }

    @Test func `an incomplete write at the end is cut off, and a later write is stored`() throws {
        let spool = IndexSpool(path)
        try spool.append(Self.write(1))
        try spool.append(Self.write(2))
        let short = try Data(contentsOf: URL(filePath: path)).count
        try spool.append(Self.write(3))
        let whole = try Data(contentsOf: URL(filePath: path))
        for count in short..<whole.count {
            try whole.prefix(count).write(to: URL(filePath: path))
            let other = IndexSpool(path)
            if count % 2 == 0 { try other.append(Self.write(4)) }
            #expect(
                try empty(other).map(\.mark.number) == (count % 2 == 0 ? [1, 2, 4] : [1, 2]), "\(count)")
        }
    }

    @Test func `a changed byte loses at most the write that contains it, and the report names the index`()
        throws
    {
        let spool = IndexSpool(path)
        let writes = (1...10).map { Self.write($0) }
        for write in writes { try spool.append(write) }
        let whole = try Data(contentsOf: URL(filePath: path))
        let file = URL(filePath: path)
        var (damagedCount, replaced) = (0, IndexSpool(path))
        for place in 0..<whole.count {
            var changed = whole
            changed[place] ^= UInt8(1 << (place % 8))
            try changed.write(to: file)
            // Every other reader knows the file already, as a process that wrote into it does.
            if place % 2 == 0 { replaced = IndexSpool(path) }
            if place % 5 == 0 { try replaced.append(Self.write(11)) }
            let expected = place % 5 == 0 ? writes + [Self.write(11)] : writes
            let entries = try emptyAll(replaced)
            let damaged = entries.filter { if case .damage = $0 { true } else { false } }
            let read = entries.compactMap { if case .write(let write) = $0 { write } else { nil } }
            #expect(
                damaged.count <= 1 && read.count + damaged.count == expected.count, "\(place): \(damaged)")
            for case .damage(let index, let bytes) in damaged {
                #expect(index == writes[0].write.index && bytes < 2 * whole.count / writes.count, "\(place)")
            }
            #expect(read.elementsEqual(expected.filter { read.contains($0) }), "\(place): the order")
            damagedCount += damaged.count
        }
        let share = Double(damagedCount) / Double(whole.count)
        #expect(share > 0.1 && share < 0.6, "labels are found twice, and only writes are lost: \(share)")
    }

    @Test func `a damaged region is skipped and reported, and the report omits an index that can't be read`()
        throws
    {
        let spool = IndexSpool(path)
        for number in 1...10 { try spool.append(Self.write(UInt64(number))) }
        let whole = try Data(contentsOf: URL(filePath: path))
        let file = URL(filePath: path)
        let size = whole.count / 10
        var generator = SeededGenerator(seed: Seeds.replayed ?? 7)
        for length in [size / 2, size, 3 * size, 20 * size] {
            for _ in 0..<20 {
                let start = generator.number(0...(whole.count - 1))
                let end = min(start + length, whole.count)
                var changed = whole
                for place in start..<end { changed[place] = UInt8(generator.number(0...255)) }
                try changed.write(to: file)
                let entries = try emptyAll(IndexSpool(path))
                let numbers = entries.compactMap {
                    if case .write(let write) = $0 { write.mark.number } else { nil }
                }
                let hit = Set((start..<end).map { UInt64(1 + max(0, $0 - 96) * 10 / (whole.count - 96)) })
                let comment: Comment = "\(start)..<\(end): \(entries)"
                #expect(Set(numbers).union(hit).isSuperset(of: 1...10), comment)
                #expect(numbers.count == 10 || numbers.count < entries.count, comment)
            }
        }
    }

    @Test func `a file that is not a spool is replaced by an empty spool`() throws {
        try IndexSpool(path).append(Self.write(1))
        for bytes in [Data("hello".utf8), Data(repeating: 0, count: 100), Data()] {
            try bytes.write(to: URL(filePath: path))
            let spool = IndexSpool(path)
            #expect(try empty(spool).isEmpty)
            try spool.append(Self.write(2))
            #expect(try empty(spool).map(\.mark.number) == [2])
        }
    }

    @Test func `two processes append and remove writes, and none is lost or removed twice`() throws {
        let (one, other) = (IndexSpool(path), IndexSpool(path))
        try one.append(Self.write(1))
        try other.append(Self.write(2))
        try one.append(Self.write(3))
        let (first, place) = try #require(try one.first())
        #expect(try other.first()?.entry == first)
        try other.remove(place)
        try one.remove(place)
        #expect(try firstNumber(one) == 2)
        #expect(try empty(other).map(\.mark.number) == [2, 3])
        try other.append(Self.write(4))
        try one.remove(place)
        #expect(try empty(one).map(\.mark.number) == [4], "an old place removes nothing of a new filling")
    }

    @Test func `if the position of the first write is lost, all writes are read from the beginning`() throws {
        let spool = IndexSpool(path)
        for number in 1...3 { try spool.append(Self.write(UInt64(number))) }
        let before = try Data(contentsOf: URL(filePath: path))
        let (_, place) = try #require(try spool.first())
        try spool.remove(place)
        #expect(try firstNumber(IndexSpool(path)) == 2)
        try before.write(to: URL(filePath: path))
        #expect(try empty(IndexSpool(path)).map(\.mark.number) == [1, 2, 3])
    }

    /// Writes that come again beyond those that a node remembers would undo later ones.
    @Test func `a changed byte of the header does not bring back removed writes`() throws {
        let spool = IndexSpool(path)
        for number in 1...3 { try spool.append(Self.write(UInt64(number))) }
        let (_, place) = try #require(try spool.first())
        try spool.remove(place)
        let whole = try Data(contentsOf: URL(filePath: path))
        for byte in 0..<96 {
            var changed = whole
            changed[byte] ^= UInt8(1 << (byte % 8))
            try changed.write(to: URL(filePath: path))
            #expect(try empty(IndexSpool(path)).map(\.mark.number) == [2, 3], "\(byte)")
        }
    }

    @Test func `a write beyond the limit of 64 MiB is refused, and the stored writes are unchanged`() throws {
        let spool = IndexSpool(path)
        var count = 0
        let big = Self.write(1, bytes: 500_000)
        let failure = failure { () throws(LocalFailure) in
            while true {
                try spool.append(big)
                count += 1
            }
        }
        #expect(failure?.code == .quota && failure?.text.contains("64 MiB") == true)
        #expect(count == Limits.spoolBytes / 500_500 || count == Limits.spoolBytes / 500_000)
        try spool.append(Self.write(2))
        let (_, place) = try #require(try spool.first())
        try spool.remove(place)
        #expect(try spool.first()?.entry == .write(big))
    }

    @Test func `each app, home and account has its own spool`() throws {
        let variables = ["HOME": "/home/maria", "XDG_STATE_HOME": "/state"]
        func path(_ app: String, _ home: String?, account: String? = nil) throws -> String? {
            let home = try Home(option: home, account: account) { variables[$0] }
            return IndexSpool.path(app: app, home: home) { variables[$0] }
        }
        let paths = [
            try path("a", nil), try path("b", nil), try path("a", "/other"),
            try path("a", nil, account: "work"), try path("../../a", nil),
        ].compactMap(\.self)
        #expect(Set(paths).count == 5)
        #expect(paths.allSatisfy { $0.hasPrefix("/state/baton/spool/") && !$0.dropFirst(19).contains("/") })
        #expect(
            IndexSpool.path(app: "a", home: try Home(option: "/x") { _ in nil }) { _ in nil } == nil)
    }
}

extension IndexSpool {
    /// Adds a write.
    fileprivate func append(_ write: MarkedWrite) throws(LocalFailure) {
        guard try append([write]) == 1 else { throw Self.full }
    }
}
