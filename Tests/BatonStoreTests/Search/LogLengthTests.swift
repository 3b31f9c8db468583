import BatonCore
import BatonStore
import CSQLite
import Glibc
import Support
import Testing

/// SQLite's write-ahead log of the index, on a real disk.
@Suite struct `The log of a lane` {
    private static let most = 1 << 20

    /// Writes items until SQLite has written at least this many bytes to its log.
    private static func write(_ parts: Range<Int>, to stage: SearchStage) throws -> Int {
        var longest = 0
        for part in parts {
            try stage.write(
                (0..<50).map {
                    .item("\(part) \($0)", [.title: "word \(part)", .contentDescription: "text \($0)"])
                })
            longest = max(longest, length(of: stage))
        }
        return longest
    }

    private static func length(of stage: SearchStage) -> Int {
        var status = stat()
        return stat(stage.folder.path + "/index.sqlite-wal", &status) == 0 ? Int(status.st_size) : 0
    }

    @Test func `stays short even if a search follows each commit`() throws {
        let stage = try SearchStage()
        stage.store.logBytes = Self.most
        var longest = 0
        for part in 0..<100 {
            longest = max(longest, try Self.write(part..<part + 1, to: stage))
            #expect(try stage.find("word", most: 5).items.count == 5)
        }
        #expect(longest > Self.most / 8 && longest <= Self.most, "\(longest)")
    }

    @Test func `is truncated after a long read`() throws {
        let stage = try SearchStage()
        stage.store.logBytes = Self.most
        _ = try Self.write(0..<1, to: stage)
        var reader: OpaquePointer?
        defer { sqlite3_close(reader) }
        let path = stage.folder.path + "/index.sqlite"
        try #require(sqlite3_open_v2(path, &reader, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
        let reads = "BEGIN; SELECT count(*) FROM account"
        try #require(sqlite3_exec(reader, reads, nil, nil, nil) == SQLITE_OK)
        _ = try Self.write(1..<80, to: stage)
        #expect(Self.length(of: stage) > Self.most, "nothing can be cut off while it is read")
        stage.store.ownLane(.index).truncateLog()
        #expect(Self.length(of: stage) > Self.most)
        try #require(sqlite3_exec(reader, "ROLLBACK", nil, nil, nil) == SQLITE_OK)
        stage.store.ownLane(.index).truncateLog()
        #expect(Self.length(of: stage) == 0)
        #expect(try Self.write(80..<81, to: stage) < Self.most)
        #expect(try stage.find("word", most: 5000).items.count == 81 * 50)
    }
}
