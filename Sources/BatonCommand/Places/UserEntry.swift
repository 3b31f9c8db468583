import BatonClient
package import Glibc

/// A user of this machine, as `/etc/passwd` lists it.
///
/// The file is read here, and not through the name service of the C library: the command is linked statically, and the
/// name service would load modules of another C library into it, which crash it. Users that are kept elsewhere (in LDAP
/// or by systemd-homed, for example) are unknown here; their sessions name them in variables.
package struct UserEntry: Equatable, Sendable {
    package let name: String
    package let home: String

    private static let file = "/etc/passwd"
    /// The largest file that is read.
    private static let most = 4 << 20

    /// Finds the first entry of a user; nil if there is none, or the file can't be read.
    package init?(of user: uid_t) {
        let descriptor = open(Self.file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        do throws(SmallFile.Failure) {
            self.init(of: user, in: try SmallFile.read(descriptor, most: Self.most)[...])
        } catch {
            return nil
        }
    }

    /// Finds the first entry of a user in the text of such a file.
    init?(of user: uid_t, in text: ArraySlice<UInt8>) {
        for line in text.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            guard fields.count == 7, uid_t(fields[2]) == user, !fields[0].isEmpty else { continue }
            (name, home) = (fields[0], fields[5])
            return
        }
        return nil
    }

    /// Returns the name of the user of this process; if the file does not list it, the name in the session's variables.
    package static func ownName(environment: (String) -> String?) -> String? {
        UserEntry(of: getuid())?.name ?? environment("USER") ?? environment("LOGNAME")
    }
}
