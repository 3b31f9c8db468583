package import BatonCore
import Glibc

/// The file with the person's handlers.
package struct ConfigurationFile: Equatable, Sendable {
    package let path: String
    /// Whether an option or variable names the file, so that it must exist.
    private let isNamed: Bool

    /// The file of the option, of `BATON_CONFIG`, or `baton/config.json5` in the person's configuration folder; nil if
    /// there is no such folder.
    package init?(option: String?, environment: (String) -> String?) {
        if let named = option ?? environment("BATON_CONFIG"), !named.isEmpty {
            (path, isNamed) = (named, true)
            return
        }
        // Relative folders count as unset, as the XDG specification says.
        let (own, home) = (environment("XDG_CONFIG_HOME"), environment("HOME"))
        let folders = [own, home.map { $0 + "/.config" }].compactMap(\.self)
        guard let base = folders.first(where: { $0.hasPrefix("/") }) else { return nil }
        (path, isNamed) = (base + "/baton/config.json5", false)
    }

    /// Reads the file; returns nil if an optional file does not exist.
    package func read() throws(LocalFailure) -> Configuration? {
        guard let bytes = try bytes() else { return nil }
        do throws(TextError) {
            return try Configuration(bytes, from: path)
        } catch {
            // The text of the file can't add lines to the message.
            let (place, text) = (error.place, VisibleText(error.text).text)
            throw LocalFailure(.usage, "\(VisibleText(path).text):\(place): \(text).")
        }
    }

    /// Reads the bytes.
    ///
    /// The file names programs to start, so only the person may be able to change it.
    private func bytes() throws(LocalFailure) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else {
            if errno == ENOENT, !isNamed { return nil }
            throw failure("can't be opened: \(SystemText.of(errno))")
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failure("can't be read: \(SystemText.of(errno))") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw failure("is not a file") }
        try demandOwn(status)
        do throws(SmallFile.Failure) {
            return try SmallFile.read(file, most: Configuration.fileBytes)
        } catch {
            switch error {
            case .refused(let number): throw failure("can't be read: \(SystemText.of(number))")
            case .tooLarge:
                throw LocalFailure(
                    .tooLarge,
                    "The configuration file \(VisibleText(path).text) is larger than \(Configuration.fileBytes >> 10) KiB, the limit."
                )
            }
        }
    }

    /// Throws if others may change the file; a group of the person's own, as many systems create it, does not count.
    private func demandOwn(_ status: stat) throws(LocalFailure) {
        let isOwned = status.st_uid == geteuid() || status.st_uid == 0
        let isOthers =
            status.st_mode & 0o002 != 0 || status.st_mode & 0o020 != 0 && status.st_gid != getegid()
        guard !isOwned || isOthers else { return }
        let shown = VisibleText(path).text
        throw LocalFailure(
            .notAllowed,
            "Other users can change \(shown), which decides what is started here.\n"
                + "Make it yours alone: \(isOwned ? "chmod go-w" : "chown \(geteuid())") \(shown)")
    }

    private func failure(_ text: String) -> LocalFailure {
        LocalFailure(.failed, "The configuration file \(VisibleText(path).text) \(text).")
    }
}
