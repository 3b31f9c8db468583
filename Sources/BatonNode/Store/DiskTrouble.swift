import BatonCore
import BatonNetwork
import Glibc

/// The reason why the disk of a folder can't be written.
enum DiskTrouble {
    case full
    case readOnly

    /// The smallest free space in bytes with which a store can make its next changes.
    private static let leastBytes: UInt = 64 << 10

    /// Asks the system about the disk of a folder, without writing anything.
    ///
    /// The result is nil if the disk can be written.
    init?(of folder: String) {
        if ReadOnlyDisk.folder(of: folder) != nil {
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
