import BatonClient
package import Glibc

/// A user of this machine, as listed in `/etc/passwd`.
///
/// The file is read here, and not through the C library. This command is linked statically. The C library would load
/// modules of another version of itself into the process, which would crash. Users that are listed elsewhere, such as
/// in LDAP or by systemd-homed, are not found. The variables of their sessions name them.
package struct UserEntry: Equatable, Sendable {
    package let name: String
    package let home: String

    private static let file = "/etc/passwd"
    /// The maximum size of the file in bytes.
    private static let most = 4 << 20

    /// Finds the first entry for a user; nil if there is none, or if the file can't be read.
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

    /// Finds the first entry for a user in the given content of the file.
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

    /// Returns the name of the user who runs this process.
    ///
    /// If the file does not list the user, the name comes from the variables of the session.
    package static func ownName(environment: (String) -> String?) -> String? {
        UserEntry(of: getuid())?.name ?? environment("USER") ?? environment("LOGNAME")
    }
}
