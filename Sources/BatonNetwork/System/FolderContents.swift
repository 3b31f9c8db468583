import Glibc

/// Lists the entries of folders.
package enum FolderContents {
    /// Returns the sorted names of a folder's entries; empty if the folder does not exist or can't be read.
    package static func names(in path: String) -> [String] {
        do throws(NetworkError) {
            return try read(path)
        } catch {
            return []
        }
    }

    /// Returns the sorted names of a folder's entries; empty if the folder does not exist.
    package static func read(_ path: String) throws(NetworkError) -> [String] {
        guard let folder = unsafe opendir(path) else {
            guard errno != ENOENT else { return [] }
            throw NetworkError(number: errno, operation: "read the folder \(path)")
        }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
