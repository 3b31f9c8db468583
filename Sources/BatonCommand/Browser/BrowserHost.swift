import BatonClient
package import BatonCore
import Glibc

/// The files by which browsers start `baton browser host` for the extension.
///
/// A browser reads a manifest that names a program without arguments. So the program is a script in the person's data
/// folder, which adds the arguments.
package struct BrowserHost {
    private let environment: (String) -> String?
    /// The path of the script.
    package let script: String

    /// The name by which the extension asks for the host; also that of its manifests.
    private static let name = "org.baton.browser"
    /// The beginning of the description in manifests that this program wrote.
    private static let description = "Baton, written by `baton browser install`"
    /// The second line of scripts that this program wrote.
    private static let mark = "# Written by `baton browser install`; `baton browser uninstall` removes it."

    package init(_ home: Home, environment: @escaping (String) -> String?) {
        self.environment = environment
        script = home.data + "/browser/host"
    }

    /// The files that an action wrote, removed or left alone.
    package struct Outcome: Equatable, Sendable {
        package var done: [String] = []
        /// The files that had the right text already.
        package var current: [String] = []
        /// The files that somebody else wrote.
        package var foreign: [String] = []

        /// Whether there was nothing to do.
        package var isEmpty: Bool { done.isEmpty && current.isEmpty && foreign.isEmpty }
    }

    // MARK: Installing

    /// Writes the script and the manifests for these browsers; if none are named, for all that are likely to be used
    /// here.
    ///
    /// The command is the program with the arguments that come before those of the browser.
    package func install(_ browsers: [Browser], command: [String]) throws(LocalFailure) -> Outcome {
        guard environment("HOME")?.hasPrefix("/") == true else {
            throw LocalFailure(.usage, "HOME is not set, so the folders of browsers are unknown.")
        }
        var outcome = Outcome()
        let words = command.map { ShellWord.quoted($0) }.joined(separator: " ")
        // The node refuses to run if others may read its folder.
        try write("#!/bin/sh\n\(Self.mark)\nexec \(words) \"$@\"\n", to: script, mode: 0o700, &outcome)
        // If another program wrote the script, no manifest may name it.
        guard outcome.foreign.isEmpty else { return outcome }
        for browser in browsers.isEmpty ? likely : browsers {
            guard let path = manifest(of: browser) else { continue }
            try write(manifest(for: browser), to: path, mode: 0o644, &outcome)
        }
        return outcome
    }

    /// Browsers that are usual, or have run here.
    private var likely: [Browser] {
        Browser.allCases.filter { browser in
            browser.isUsual || browser.folder(environment: environment).map { access($0, F_OK) == 0 } ?? false
        }
    }

    private func manifest(of browser: Browser) -> String? {
        browser.folder(environment: environment).map { "\($0)/\(browser.hosts)/\(Self.name).json" }
    }

    /// The text of a manifest.
    private func manifest(for browser: Browser) -> String {
        let allowed =
            browser.isFirefox
            ? JSON.Member("allowed_extensions", .array([.string(Browser.firefoxExtension)]))
            : JSON.Member(
                "allowed_origins", .array([.string("chrome-extension://\(Browser.chromiumExtension)/")]))
        return JSON.object([
            .init("name", .string(Self.name)), .init("description", .string(Self.description)),
            .init("path", .string(script)), .init("type", .string("stdio")), allowed,
        ]).text + "\n"
    }

    private func write(
        _ text: String, to path: String, mode: mode_t, _ outcome: inout Outcome
    ) throws(LocalFailure) {
        switch find(path) {
        case .own(text, _): outcome.current.append(path)
        case .foreign: outcome.foreign.append(path)
        case .nothing, .own:
            try WholeFile(path).write(text, mode: mode)
            outcome.done.append(path)
        }
    }

    // MARK: Removing

    /// Removes the manifests in the folders of all browsers, the scripts that they name, and the script of this home.
    package func uninstall() throws(LocalFailure) -> Outcome {
        var outcome = Outcome()
        var scripts = [script]
        for browser in Browser.allCases {
            guard let path = manifest(of: browser) else { continue }
            if case .own(_, let named?) = find(path), !scripts.contains(named) {
                scripts.append(named)
            }
            try remove(path, &outcome, alsoEmpty: 2)
        }
        for script in scripts { try remove(script, &outcome, alsoEmpty: 2) }
        return outcome
    }

    /// Removes a file of ours, and then at most `most` folders around it that have become empty.
    private func remove(_ path: String, _ outcome: inout Outcome, alsoEmpty most: Int) throws(LocalFailure) {
        switch find(path) {
        case .nothing: return
        case .foreign: outcome.foreign.append(path)
        case .own:
            guard unlink(path) == 0 else {
                throw LocalFailure(.failed, "\(path) can't be removed: \(SystemText.of(errno)).")
            }
            outcome.done.append(path)
            var folder = path[...]
            for _ in 0..<most {
                guard let end = folder.lastIndex(of: "/"), rmdir(String(folder[..<end])) == 0 else { return }
                folder = folder[..<end]
            }
        }
    }

    private enum Finding {
        case nothing
        /// A file of this program; a manifest names a script.
        case own(String, script: String?)
        case foreign
    }

    /// Examines a file: whether there is one, and whether this program wrote it.
    private func find(_ path: String) -> Finding {
        var status = stat()
        guard lstat(path, &status) == 0 else { return .nothing }
        guard status.st_mode & S_IFMT == S_IFREG, let text = WholeFile(path).text else { return .foreign }
        if text.hasPrefix("#!/bin/sh\n\(Self.mark)\n") { return .own(text, script: nil) }
        do throws(JSONError) {
            let manifest = try JSON(reading: text.utf8)
            guard manifest["description"] == .string(Self.description) else { return .foreign }
            return .own(text, script: manifest["path"]?.string)
        } catch {
            // A manifest that is not JSON was not written by this program.
            return .foreign
        }
    }
}
