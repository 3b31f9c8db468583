import BatonClient
import Glibc

/// The folder of the extension for browsers, which a person loads into a browser.
package enum ExtensionFolder {
    /// Returns the folder: where `make install` puts it, else that of the working tree in which this program was built;
    /// nil if it is in neither place.
    package static func find() -> String? {
        guard let program = OwnProgram.path, let end = program.lastIndex(of: "/") else { return nil }
        let folder = String(program[..<end])
        let built = program.range(of: "/.build/").map { String(program[..<$0]) + "/Browser" }
        let installed = folder + "/../share/baton/browser"
        return [installed, built].compactMap(\.self).compactMap(whole)
            .first { access($0 + "/manifest.json", R_OK) == 0 }
    }

    /// The path without `..`, or nil if there is no such folder.
    private static func whole(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}

extension String {
    /// Returns where a text begins in this one.
    fileprivate func range(of text: String) -> Index? {
        indices.first { self[$0...].hasPrefix(text) }
    }
}
