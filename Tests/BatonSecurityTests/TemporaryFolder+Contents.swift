import Glibc
import Support
import Testing

extension TemporaryFolder {
    /// Returns the contents of a file.
    static func read(_ path: String) throws -> [UInt8] {
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }

    /// Writes a file with mode 0600.
    static func write(_ bytes: [UInt8], to path: String) throws {
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        fchmod(fileno(file), 0o600)
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }

    /// Returns the sorted names in a folder.
    static func names(in path: String) throws -> [String] {
        let folder = try #require(opendir(path))
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Returns the permission bits of a file.
    static func mode(_ path: String) throws -> mode_t {
        var status = stat()
        try #require(lstat(path, &status) == 0)
        return status.st_mode & 0o777
    }
}
