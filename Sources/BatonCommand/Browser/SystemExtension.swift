import BatonClient
import BatonCore
import Glibc

/// The extension as a package installs it, for all users of this machine.
///
/// Firefox and Chromium of Debian load it by themselves. `Scripts/place-extension` puts the files into their places.
package struct SystemExtension: Equatable, Sendable {
    /// The browsers for which the extension is installed.
    package let browsers: [Browser]
    /// The files that these browsers need to start the host, and that do not exist.
    package let missing: [String]

    /// Looks for the extension in the folders of the system, which are below `root` in tests.
    package init(below root: String = "") {
        let places = Place.all.filter { access(root + $0.folder + "/manifest.json", R_OK) == 0 }
        browsers = places.map(\.browser)
        var missing: [String] = []
        for place in places {
            guard let lacking = place.missingFile(below: root), !missing.contains(lacking) else { continue }
            missing.append(lacking)
        }
        self.missing = missing
    }

    /// The places in which a browser looks for the extension and for the manifest of the host.
    private struct Place {
        let browser: Browser
        let folder: String
        let manifest: String

        static let all = [
            Place(
                browser: .chromium, folder: "/usr/share/chromium/extensions/baton",
                manifest: "/etc/chromium/native-messaging-hosts/\(BrowserHost.name).json"),
            Place(
                browser: .firefox,
                folder:
                    "/usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/\(Browser.firefoxExtension)",
                manifest: "/usr/lib/mozilla/native-messaging-hosts/\(BrowserHost.name).json"),
        ]

        /// Returns the manifest or the program that it names, whichever can't be used first; nil if both can.
        func missingFile(below root: String) -> String? {
            guard let text = WholeFile(root + manifest).text else { return manifest }
            do throws(JSONError) {
                guard let program = try JSON(reading: text.utf8)["path"]?.string else { return manifest }
                return access(root + program, X_OK) == 0 ? nil : program
            } catch {
                return manifest
            }
        }
    }

    // MARK: Advice

    /// Returns what a person does so that these browsers have the extension.
    ///
    /// `folder` is the folder from which a person loads the extension, or nil if it is not found.
    package func advice(for wanted: [Browser], folder: String?) -> [String] {
        var lines: [String] = []
        let loading = wanted.filter(browsers.contains)
        if !loading.isEmpty {
            let verb = loading.count == 1 ? "loads" : "load"
            lines.append(
                "The extension is installed for all users: \(Self.names(loading)) of this system \(verb) it when started."
            )
            if loading.contains(.firefox) {
                lines.append("A Firefox that has run before loads it when it is started for the second time.")
            }
        }
        let others = wanted.filter { !browsers.contains($0) }
        guard !others.isEmpty else { return lines }
        guard let folder else {
            return lines + [
                "The extension is not beside this program. `make install` puts it into PREFIX/share/baton/browser."
            ]
        }
        lines.append(
            loading.isEmpty
                ? "Now load the extension from \(folder):"
                : "Load it into other browsers from \(folder):")
        if others.contains(where: { !$0.isFirefox }) {
            lines.append(
                "  Chromium and its relatives: chrome://extensions, “Developer mode”, “Load unpacked”, that folder"
            )
        }
        if others.contains(where: \.isFirefox) {
            lines.append(
                "  Firefox: about:debugging#/runtime/this-firefox, “Load Temporary Add-on”, manifest.json in it; until Firefox ends"
            )
        }
        return lines
    }

    /// The line about the extension after the files of this person were removed.
    package var removalAdvice: String {
        browsers.isEmpty
            ? "Remove the extension from your browsers, too."
            : "The extension is installed for all users; turn it off in \(Self.names(browsers)) if you don't want it."
    }

    /// Returns the names of browsers for people.
    static func names(_ browsers: [Browser]) -> String {
        let most = browsers.dropLast().map(\.title).joined(separator: ", ")
        let last = browsers.last?.title ?? ""
        return most.isEmpty ? last : "\(most) and \(last)"
    }
}
