import Glibc

/// Paths that came from another machine, on this one.
enum LocalPath {
    enum Kind { case file, folder, other }

    /// Returns the absolute path of `/…`, `~` or `~/…`, or nil for text that has no meaning on other machines.
    static func whole(_ text: String, home: String?) -> String? {
        if text.utf8.first == UInt8(ascii: "/") { return text }
        guard let home, text == "~" || text.utf8.starts(with: "~/".utf8) else { return nil }
        return home + text.dropFirst()
    }

    /// Returns what is at a path, or nil if nothing can be seen there.
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
