import BatonClient
package import BatonCore
import Glibc

/// The folder that contains the person's systemd units.
package struct UnitFolder: Equatable, Sendable {
    package let path: String

    /// Finds the folder: in `XDG_CONFIG_HOME`, or else in the person's home folder.
    package init(environment: (String) -> String?) throws(LocalFailure) {
        if let configuration = environment("XDG_CONFIG_HOME"), configuration.hasPrefix("/") {
            path = configuration + "/systemd/user"
        } else if let home = environment("HOME"), home.hasPrefix("/") {
            path = home + "/.config/systemd/user"
        } else {
            throw LocalFailure(.usage, "HOME is not set, so the folder for units is unknown.")
        }
    }

    /// The path of a unit.
    package func path(of unit: String) -> String { path + "/" + unit }

    /// The result of examining a unit's file.
    package enum Finding: Equatable, Sendable {
        case nothing
        /// `baton service install` wrote the file, which has this text.
        case own(String)
        /// Another program or a person wrote the file, or it is not a regular file.
        case other
    }

    /// Examines the file of a unit.
    package func find(_ unit: String) -> Finding {
        var status = stat()
        guard lstat(path(of: unit), &status) == 0 else { return .nothing }
        guard status.st_mode & S_IFMT == S_IFREG, let text = WholeFile(path(of: unit)).text,
            text.hasPrefix(ServiceUnits.mark)
        else { return .other }
        return .own(text)
    }

    /// Writes the file of a unit atomically; returns false if the file already has this text.
    package func write(_ text: String, to unit: String, replaces: Bool) throws(LocalFailure) -> Bool {
        let path = path(of: unit)
        switch find(unit) {
        case .own(text): return false
        case .nothing, .own: break
        case .other:
            guard replaces else {
                throw LocalFailure(
                    .failed,
                    "\(path) exists, and was not written by `baton service install`.\n"
                        + "Look at it, and type `baton service install --replace` to overwrite it.")
            }
        }
        try WholeFile(path).write(text)
        return true
    }

    /// Removes a unit that `baton service install` wrote; returns false if there is no such unit.
    package func remove(_ unit: String) throws(LocalFailure) -> Bool {
        switch find(unit) {
        case .nothing: return false
        case .other:
            throw LocalFailure(
                .failed,
                "\(path(of: unit)) was not written by `baton service install`, so it was not removed. Remove it yourself."
            )
        case .own:
            guard unlink(path(of: unit)) == 0 else {
                throw Self.failure("\(path(of: unit)) can't be removed")
            }
            return true
        }
    }

    private static func failure(_ what: String) -> LocalFailure {
        LocalFailure(.failed, "\(what): \(SystemText.of(errno)).")
    }
}
