import Glibc

/// Paths that came from another machine, seen from this one.
enum LocalPath {
    enum Kind { case file, folder, other }

    /// The whole path, where the text means the same on every machine of a person: `/…`, `~` or `~/…`.
    static func whole(_ text: String, home: String?) -> String? {
        if text.utf8.first == UInt8(ascii: "/") { return text }
        guard let home, text == "~" || text.utf8.starts(with: "~/".utf8) else { return nil }
        return home + text.dropFirst()
    }

    /// What is there; nothing if that is nothing, or can't be seen.
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
