import BatonClient
import Glibc

/// Finds the folder of the browser extension, which a person loads into a browser.
package enum ExtensionFolder {
    /// Returns the path of the folder, or nil if the folder is not found.
    ///
    /// It is looked for where `make install` puts it, where the package of the extension puts it, and then in the working
    /// tree in which this program was built.
    package static func find() -> String? {
        guard let program = OwnProgram.path, let end = program.lastIndex(of: "/") else { return nil }
        let folder = String(program[..<end])
        let built = program.range(of: "/.build/").map { String(program[..<$0]) + "/Browser" }
        let installed = folder + "/../share/baton/browser"
        let packaged = folder + "/../share/webext/baton"
        return [installed, packaged, built].compactMap(\.self).compactMap(whole)
            .first { access($0 + "/manifest.json", R_OK) == 0 }
    }

    /// Returns the path without `..` and links, or nil if nothing exists at the path.
    private static func whole(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}

extension String {
    /// Returns the index at which the given text first occurs in this string.
    fileprivate func range(of text: String) -> Index? {
        indices.first { self[$0...].hasPrefix(text) }
    }
}
