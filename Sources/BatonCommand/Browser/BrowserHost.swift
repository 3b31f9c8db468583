import BatonClient
package import BatonCore
import Glibc

/// Writes and removes the files that make browsers start `baton browser host` for the extension.
///
/// A browser reads a manifest with the path of a program, but without arguments. So the manifest names a script in the
/// person's data folder, and the script runs `baton` with the arguments.
package struct BrowserHost {
    private let environment: (String) -> String?
    /// The path of the script.
    package let script: String

    /// The name by which the extension asks the browser for the host.
    ///
    /// The manifests are named after it, too.
    static let name = "org.baton.browser"
    /// The description in a manifest, by which this program recognises the manifests that it wrote.
    private static let description = "Baton, written by `baton browser install`"
    /// The second line of a script, by which this program recognises the scripts that it wrote.
    private static let mark = "# Written by `baton browser install`; `baton browser uninstall` removes it."

    package init(_ home: Home, environment: @escaping (String) -> String?) {
        self.environment = environment
        script = home.data + "/browser/host"
    }

    /// The files that were written, removed or left alone.
    package struct Outcome: Equatable, Sendable {
        package var done: [String] = []
        /// The files that already had the right content.
        package var current: [String] = []
        /// The files that another program or a person wrote.
        ///
        /// They are left alone.
        package var foreign: [String] = []

        /// Whether none of the files was found or written.
        package var isEmpty: Bool { done.isEmpty && current.isEmpty && foreign.isEmpty }
    }

    // MARK: Installing

    /// Writes the script, and the manifests for the given browsers.
    ///
    /// If no browsers are given, manifests are written for all browsers that are probably used here. `command` is the
    /// program, with the arguments that come before those that the browser passes.
    package func install(_ browsers: [Browser], command: [String]) throws(LocalFailure) -> Outcome {
        guard environment("HOME")?.hasPrefix("/") == true else {
            throw LocalFailure(.usage, "HOME is not set, so the folders of browsers are unknown.")
        }
        var outcome = Outcome()
        // The folder is one that the node uses, too. The node refuses to run if other users may read it.
        try write(content(ofScript: command), to: script, mode: 0o700, &outcome)
        // Another program wrote the script. No manifest may name such a script.
        guard outcome.foreign.isEmpty else { return outcome }
        for browser in browsers.isEmpty ? likely : browsers {
            guard let path = manifest(of: browser) else { continue }
            try write(manifest(for: browser), to: path, mode: 0o644, &outcome)
        }
        return outcome
    }

    /// Whether `install` would write nothing for these browsers.
    package func isInstalled(for browsers: [Browser], command: [String]) -> Bool {
        guard case .own(let text, _) = find(script), text == content(ofScript: command) else { return false }
        return browsers.allSatisfy { browser in
            guard let path = manifest(of: browser) else { return true }
            guard case .own(let text, _) = find(path) else { return false }
            return text == manifest(for: browser)
        }
    }

    /// Whether `uninstall` would remove anything.
    package var hasFiles: Bool {
        ([script] + Browser.allCases.compactMap(manifest)).contains { path in
            if case .own = find(path) { return true }
            return false
        }
    }

    private func content(ofScript command: [String]) -> String {
        let words = command.map { ShellWord.quoted($0) }.joined(separator: " ")
        return "#!/bin/sh\n\(Self.mark)\nexec \(words) \"$@\"\n"
    }

    /// The browsers that are most common, or that have run on this machine.
    package var likely: [Browser] {
        Browser.allCases.filter { browser in
            browser.isUsual || browser.folder(environment: environment).map { access($0, F_OK) == 0 } ?? false
        }
    }

    private func manifest(of browser: Browser) -> String? {
        browser.folder(environment: environment).map { "\($0)/\(browser.hosts)/\(Self.name).json" }
    }

    /// The content of the manifest for a browser.
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

    // MARK: Examining

    /// A browser that knows the host from a manifest that this program wrote.
    struct Registration {
        let browser: Browser
        /// The script or the program that can't be started, or nil if both can.
        let missing: String?
    }

    /// The browsers of this person that know the host.
    var registered: [Registration] {
        Browser.allCases.compactMap { browser in
            guard let path = manifest(of: browser), case .own(_, let script?) = find(path) else { return nil }
            return Registration(browser: browser, missing: missingProgram(of: script))
        }
    }

    /// Returns the script at the path or the program that it starts, whichever can't be started first.
    private func missingProgram(of script: String) -> String? {
        guard access(script, X_OK) == 0, case .own(let text, _) = find(script) else { return script }
        guard let line = text.split(separator: "\n", maxSplits: 2).last, line.hasPrefix("exec ") else {
            return script
        }
        let program = ShellWord.first(of: line.dropFirst("exec ".count))
        return access(program, X_OK) == 0 ? nil : program
    }

    // MARK: Removing

    /// Removes the script of this home, the manifests of all browsers, and the scripts that those manifests name.
    package func uninstall() throws(LocalFailure) -> Outcome {
        var outcome = Outcome()
        var scripts = [script]
        for browser in Browser.allCases {
            guard let path = manifest(of: browser) else { continue }
            if case .own(_, let named?) = find(path), !scripts.contains(named) {
                scripts.append(named)
            }
            try remove(path, &outcome, alsoEmpty: browser.folderCount)
        }
        for script in scripts { try remove(script, &outcome, alsoEmpty: 2) }
        return outcome
    }

    /// Removes a file that this program wrote.
    ///
    /// Then at most `most` of the folders around the file are removed, as long as they are empty.
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
        /// This program wrote the file, which has this text.
        ///
        /// If the file is a manifest, `script` is the path that it names.
        case own(String, script: String?)
        case foreign
    }

    /// Finds out whether a file exists at the path, and whether this program wrote it.
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
            // The file is not JSON, so it is not a manifest that this program wrote.
            return .foreign
        }
    }
}
