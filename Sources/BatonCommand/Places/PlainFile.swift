import Glibc

/// A regular file in a folder that is not trusted.
///
/// Links, FIFOs and devices are not opened at all. So reading never blocks, and never causes anything else to happen.
final class PlainFile {
    private let descriptor: Int32
    /// The size of the file when it was opened, in bytes.
    let size: Int

    /// Opens a file; returns nil if it does not exist or is not a regular file.
    init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY)
        let isKnown = opened >= 0 && fstat(opened, &status) == 0
        (descriptor, size) = (opened, isKnown ? Int(status.st_size) : -1)
        // Between the check and the opening, another file may have replaced the checked one.
        guard size >= 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Reads `count` bytes at an offset.
    ///
    /// At the end of the file or after an error, the result has fewer bytes.
    func read(_ count: Int, at offset: Int) -> [UInt8] {
        guard offset >= 0, count > 0, offset < size else { return [] }
        var bytes = [UInt8](repeating: 0, count: min(count, size - offset))
        var done = 0
        while done < bytes.count {
            let part = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done,
                    off_t(offset + done))
            }
            if part < 0, errno == EINTR { continue }
            guard part > 0 else { break }
            done += part
        }
        return Array(bytes.prefix(done))
    }

    /// Returns the content of a file, or nil if the file can't be opened or is larger than `most` bytes.
    static func content(of path: String, most: Int) -> [UInt8]? {
        guard let file = PlainFile(path), file.size <= most else { return nil }
        return file.read(file.size, at: 0)
    }

    /// Returns the first line of a small file, or nil if the file can't be read.
    static func line(of path: String, most: Int = 4096) -> String? {
        guard let bytes = content(of: path, most: most) else { return nil }
        return String(validating: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// Returns the text of a small file that has only one line, without the newline.
    ///
    /// The result is nil if the file has more lines or can't be read.
    static func onlyLine(of path: String, most: Int = 4096) -> String? {
        guard let bytes = content(of: path, most: most) else { return nil }
        let ends = [UInt8(ascii: "\n"), UInt8(ascii: "\r")]
        let count = bytes.lastIndex { !ends.contains($0) }.map { $0 + 1 } ?? 0
        let line = bytes.prefix(count)
        return line.contains(where: ends.contains) ? nil : String(validating: line, as: UTF8.self)
    }

    /// Whether nothing exists at a path, not even a link.
    static func isMissing(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
    }

    /// Returns the names in a folder, or nil if the folder can't be read or has more than `most` names.
    static func names(in path: String, most: Int) -> [String]? {
        guard let folder = opendir(path) else { return nil }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name != ".", name != ".." else { continue }
            guard names.count < most else { return nil }
            names.append(name)
        }
        return names
    }
}
