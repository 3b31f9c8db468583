package import BatonCore
import BatonNetwork
import Glibc

extension Home {
    /// Throws if a file in the home belongs to another user, or if other users may read or write it.
    ///
    /// Other users could get the keys of this device, or see everything that the devices of the account do. A home that
    /// does not exist yet is accepted. Manifests of apps contain no secrets, so they are not checked here. A manifest
    /// that other users may change is not used.
    package func demandPrivacy() throws(LocalFailure) {
        var status = stat()
        if stat(data, &status) == 0, status.st_mode & S_IFMT != S_IFDIR {
            throw LocalFailure(.failed, "\(data) is not a folder, so it can't be a home.")
        }
        guard let open = PrivateFolder.firstOpen(at: data, besides: manifests) else { return }
        let quoted = Self.quoted(data)
        guard open.isOwn else {
            // `sudo` may leave files that belong to root in the person's own home. Files of other users must not be
            // taken from them.
            let isLeftByRoot = open.owner == 0 && (Self.isOwn(data) || Self.isOwn(data + "/.."))
            throw LocalFailure(
                .failed,
                "\(open.path) belongs to user \(open.owner), and only you may have access to it.\n"
                    + (isLeftByRoot
                        ? "Type `sudo chown -R \(geteuid()) \(quoted)`, and use `baton` without sudo."
                        : "Leave it to that user; for an account of your own, choose another folder with --home DIR.")
            )
        }
        throw LocalFailure(
            .failed,
            "Other users have access to \(open.path) (mode \(String(open.mode, radix: 8))), which must be private.\n"
                + "Type `chmod -R go= \(quoted)`.")
    }

    /// Whether a folder belongs to the person who runs this process.
    private static func isOwn(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_uid == geteuid()
    }

    /// Returns a path in the form of one word for a shell.
    private static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                || UInt8(ascii: "-")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "_")
        }
        return isPlain
            ? path
            : "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
                + "'"
    }
}
