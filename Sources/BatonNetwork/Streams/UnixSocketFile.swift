import CLinux
import Glibc

/// The file of a listening Unix socket, which only this user can reach.
struct UnixSocketFile: ~Copyable {
    private let path: UnixPath
    /// Identifies the file that was made, so that a file that another process makes later is left alone.
    private let identity: FileIdentity

    /// Makes the folder (0700, if it is missing) and the file (0600), and lets the socket listen there.
    ///
    /// Replaces the file of a process that has ended; throws `.addressInUse` if a process listens there. A lock on the
    /// folder lets one process try at a time, so none removes the fresh file of another.
    init(listening socket: borrowing FileDescriptor, at path: String, backlog: Int32) throws(NetworkError) {
        let unixPath = UnixPath(path)
        let file = socket.number
        try PrivateFolder.make(unixPath.folder)
        try PrivateFolder.demand(unixPath.folder)
        let folder = try FileDescriptor.open(unixPath.folder, flags: O_RDONLY | O_DIRECTORY)
        let folderNumber = folder.number
        // The lock is released with the descriptor, at the end of this call.
        try SystemCall.run("lock \(unixPath.folder)") { flock(folderNumber, LOCK_EX) }

        // The file gets its mode from the socket, so there is no moment at which others can reach it.
        try SystemCall.run("protect a socket") { fchmod(file, 0o600) }
        var (result, error) = unixPath.bind(socket)
        if result < 0, error == EADDRINUSE {
            try Self.removeDead(unixPath)
            (result, error) = unixPath.bind(socket)
        }
        guard result == 0 else { throw NetworkError(number: error, operation: "listen at \(path)") }
        try SystemCall.run("listen at \(path)") { listen(file, backlog) }
        identity = try FileIdentity(path)
        self.path = unixPath
    }

    /// Removes the file, if it is still the file that was made.
    consuming func remove() throws(NetworkError) {
        let path = path.path
        do throws(NetworkError) {
            guard try FileIdentity(path) == identity else { return }
            try SystemCall.run("remove \(path)") { unsafe unlink(path) }
        } catch  where error.code == .notFound {
            return
        }
    }

    /// Removes the file of a socket at which no process listens.
    private static func removeDead(_ path: UnixPath) throws(NetworkError) {
        let probe = try Socket.stream(family: AF_UNIX)
        let (result, error) = path.connect(probe)
        guard result < 0, error == ECONNREFUSED, try FileIdentity(path.path).isSocket else {
            throw NetworkError(number: EADDRINUSE, operation: "listen at \(path.path)")
        }
        try SystemCall.run("remove \(path.path)") { unsafe unlink(path.path) }
    }
}

/// Identifies the file at a path; a symbolic link at its end is not followed.
private struct FileIdentity: Equatable {
    private let device: dev_t
    private let inode: ino_t
    let isSocket: Bool

    init(_ path: String) throws(NetworkError) {
        var status = stat()
        try SystemCall.run("look at \(path)") { unsafe lstat(path, &status) }
        (device, inode) = (status.st_dev, status.st_ino)
        isSocket = status.st_mode & S_IFMT == S_IFSOCK
    }
}
