import CLinux
import Glibc

/// Who is at the other end of a Unix socket, as the kernel saw it when the connection was made.
package struct UnixPeer: Hashable, Sendable {
    /// The process.
    package let processID: Int32
    /// Its effective user.
    package let userID: UInt32

    /// The user for whom this process works.
    package static var ownUserID: UInt32 { geteuid() }

    /// Asks the kernel.
    init(of socket: borrowing FileDescriptor) throws(NetworkError) {
        var credentials = CLinux_credentials()
        var length = socklen_t(MemoryLayout<CLinux_credentials>.size)
        let file = socket.number
        try SystemCall.run("ask who is at the other end of a socket") {
            unsafe getsockopt(file, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
        }
        (processID, userID) = (credentials.process, credentials.user)
    }
}
