import BatonCore
import Glibc

/// Returns what keeps the disk under a folder from being written, if anything does.
enum DiskTrouble {
    case full
    case readOnly

    /// A store needs at least as much room for the next changes.
    private static let leastBytes: UInt = 64 << 10

    /// Asks the system, without writing anything.
    init?(of folder: String) {
        if access(folder, W_OK) != 0, errno == EROFS {
            self = .readOnly
            return
        }
        var status = statvfs()
        guard statvfs(folder, &status) == 0, status.f_blocks > 0,
            UInt(status.f_bavail) * UInt(status.f_frsize) < Self.leastBytes
        else { return nil }
        self = .full
    }

    var code: StoreFailure.Code { self == .full ? .full : .readOnly }
}
