import BatonClient
import BatonCore
import BatonTerminal
import Glibc

/// Reads and writes a small text file.
///
/// It is written completely or not at all.
struct WholeFile {
    let path: String

    /// The maximum size of a file in bytes.
    private static let most = 1 << 20

    init(_ path: String) { self.path = path }

    /// The text of the file; nil if the file does not exist or can't be read.
    ///
    /// In the latter case, it must not be overwritten.
    var text: String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        do throws(SmallFile.Failure) {
            return String(decoding: try SmallFile.read(descriptor, most: Self.most), as: UTF8.self)
        } catch {
            return nil
        }
    }

    /// Writes the file atomically.
    ///
    /// Folders of its path that don't exist are created.
    func write(_ text: String, mode: mode_t = 0o644) throws(LocalFailure) {
        let folder = try Self.makeFolders(around: path)
        let part = "\(folder)/.baton-\(getpid())"
        try FileReplacement(of: path, part: part, failing: .failed).write(text, mode: mode)
    }

    /// Creates the missing folders of the path of a file, and returns the folder of the file.
    @discardableResult static func makeFolders(around path: String) throws(LocalFailure) -> String {
        var folder = ""
        for part in path.split(separator: "/").dropLast() {
            folder += "/" + part
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
                let text: VisibleText = "The folder \(folder) can't be created: \(SystemText.of(errno))."
                throw LocalFailure(.failed, text.text)
            }
        }
        return folder
    }
}
