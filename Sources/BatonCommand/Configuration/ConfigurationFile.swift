import BatonClient
package import BatonCore

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
        let file = TrustedFile(path: path, kind: "configuration file", most: Configuration.fileBytes)
        guard let bytes = try file.read(isOptional: !isNamed) else { return nil }
        do throws(TextError) {
            return try Configuration(bytes, from: path)
        } catch {
            // The text of the file can't add lines to the message.
            let (place, text) = (error.place, VisibleText(error.text).text)
            throw LocalFailure(.usage, "\(VisibleText(path).text):\(place): \(text).")
        }
    }
}
