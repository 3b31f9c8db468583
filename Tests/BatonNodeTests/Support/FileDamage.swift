import Foundation
import Testing

/// Changes bytes of files, as a failing disk would.
enum FileDamage {
    private static let pageSize = 4096

    /// Changes a byte in every page of a file at a distance; the first page stays, because it has the schema.
    static func flipPages(of path: String, every distance: Int = 1) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        defer { try? file.close() }
        let count = Int(try file.seekToEnd()) / pageSize
        for page in stride(from: 1, to: count, by: distance) { try flip(page, of: file) }
    }

    /// Changes a byte in one page of a file; the number of the first page is 1, as in SQLite.
    static func flipPage(_ number: Int, of path: String) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        defer { try? file.close() }
        try flip(number - 1, of: file)
    }

    private static func flip(_ page: Int, of file: FileHandle) throws {
        let offset = UInt64(page * pageSize + 1000)
        try file.seek(toOffset: offset)
        let byte = try #require(try file.read(upToCount: 1)?.first)
        try file.seek(toOffset: offset)
        try file.write(contentsOf: Data([byte ^ 0x20]))
    }
}
