import Glibc

/// Converts and examines paths, some of which come from another machine.
package enum LocalPath {
    enum Kind { case file, folder, other }

    /// Returns the absolute path for a text such as `/…`, `~` or `~/…`.
    ///
    /// The result is nil for any other text, because it would have another meaning on another machine.
    static func whole(_ text: String, home: String?) -> String? {
        if text.utf8.first == UInt8(ascii: "/") { return text }
        guard let home, text == "~" || text.utf8.starts(with: "~/".utf8) else { return nil }
        return home + text.dropFirst()
    }

    /// Returns the folder that contains a file.
    ///
    /// The path must be absolute.
    static func folder(of path: String) -> String {
        let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
        return end == path.startIndex ? "/" : String(path[..<end])
    }

    /// Returns the last component of a path.
    static func name(of path: String) -> String {
        path.utf8.split(separator: UInt8(ascii: "/")).last.flatMap { String($0) } ?? path
    }

    /// Returns a path with all its links resolved, or nil if nothing exists at the path.
    package static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Removes `.` and `..` from an absolute path, without looking at the disk.
    static func folded(_ path: String) -> String {
        var parts: [Substring.UTF8View] = []
        for part in path.utf8.split(separator: UInt8(ascii: "/")) where !part.elementsEqual(".".utf8) {
            if part.elementsEqual("..".utf8) { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.map { String(Substring($0)) }.joined(separator: "/")
    }

    /// Whether a path is the folder itself, or is inside the folder.
    ///
    /// Bytes are compared, as the system does. If an accent follows a slash, both are one Swift character, which is not
    /// equal to a slash.
    static func isWithin(_ folder: String, _ path: String) -> Bool {
        guard !folder.isEmpty else { return false }
        let folder = folder.utf8.last == UInt8(ascii: "/") ? folder.utf8.dropLast() : folder.utf8[...]
        let rest = path.utf8.dropFirst(folder.count)
        return path.utf8.starts(with: folder) && (rest.isEmpty || rest.first == UInt8(ascii: "/"))
    }

    /// Returns whether a path leads to a file, a folder or something else, or nil if nothing can be found there.
    static func kind(_ path: String) -> Kind? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }
}
