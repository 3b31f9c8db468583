import BatonClient
package import BatonCore

/// The configuration file of the person.
package struct ConfigurationFile: Equatable, Sendable {
    package let path: String
    /// Whether an option or a variable names the file.
    ///
    /// A named file must exist.
    private let isNamed: Bool

    /// Chooses the file: the one that the option names, or else the one that `BATON_CONFIG` names.
    ///
    /// Otherwise, the file is `baton/config.json5` in the person's configuration folder. If there is no such folder,
    /// the result is nil.
    package init?(option: String?, environment: (String) -> String?) {
        if let named = option ?? environment("BATON_CONFIG"), !named.isEmpty {
            (path, isNamed) = (named, true)
            return
        }
        // The XDG specification says that a relative path is ignored as if the variable were not set.
        let (own, home) = (environment("XDG_CONFIG_HOME"), environment("HOME"))
        let folders = [own, home.map { $0 + "/.config" }].compactMap(\.self)
        guard let base = folders.first(where: { $0.hasPrefix("/") }) else { return nil }
        (path, isNamed) = (base + "/baton/config.json5", false)
    }

    /// Reads the file; returns nil if the file does not exist and was not named.
    package func read() throws(LocalFailure) -> Configuration? {
        let file = TrustedFile(path: path, kind: "configuration file", most: Configuration.fileBytes)
        guard let bytes = try file.read(isOptional: !isNamed) else { return nil }
        do throws(TextError) {
            return try Configuration(bytes, from: path)
        } catch {
            // The file's text is made visible, so that it can't add lines to the message.
            let (place, text) = (error.place, VisibleText(error.text).text)
            throw LocalFailure(.usage, "\(VisibleText(path).text):\(place): \(text).")
        }
    }
}
