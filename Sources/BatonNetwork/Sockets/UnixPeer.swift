import CLinux
import Glibc

/// The process at the other end of a Unix socket, as the kernel recorded it when the connection was made.
package struct UnixPeer: Hashable, Sendable {
    package let processID: Int32
    /// The effective user ID of the process.
    package let userID: UInt32

    /// The effective user ID of this process.
    package static var ownUserID: UInt32 { geteuid() }

    /// Asks the kernel which process is at the other end of a socket.
    init(of socket: borrowing FileDescriptor) throws(NetworkError) {
        var credentials = CLinux_credentials()
        var length = socklen_t(MemoryLayout<CLinux_credentials>.size)
        let file = socket.number
        try SystemCall.run("identify the other end of a socket") {
            unsafe getsockopt(file, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
        }
        (processID, userID) = (credentials.process, credentials.user)
    }
}
