import CLinux
import Glibc

/// The file of a listening Unix socket that only this user can reach.
struct UnixSocketFile: ~Copyable {
    private let path: UnixPath
    /// Identifies the file that was created, so that a file that another process creates later is not removed.
    private let identity: FileIdentity

    /// Creates the folder (0700, if it is missing) and the file (0600), and makes the socket listen there.
    ///
    /// If the process that created an existing file has ended, the file is replaced. Throws `.addressInUse` if a
    /// process still listens there. A lock on the folder lets only one process do this at a time. Otherwise, one
    /// process could remove the new file of another.
    init(listening socket: borrowing FileDescriptor, at path: String, backlog: Int32) throws(NetworkError) {
        let unixPath = UnixPath(path)
        let file = socket.number
        try PrivateFolder.make(unixPath.folder)
        try PrivateFolder.demand(unixPath.folder)
        let folder = try FileDescriptor.open(unixPath.folder, flags: O_RDONLY | O_DIRECTORY)
        let folderNumber = folder.number
        // The lock is released when the descriptor is closed, at the end of this call.
        try SystemCall.run("lock \(unixPath.folder)") { flock(folderNumber, LOCK_EX) }

        // The file gets its mode from the socket, so other users can't reach the file even for a moment.
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

    /// Takes over a file that an earlier run of this process has created.
    init(adopting path: String) throws(NetworkError) {
        identity = try FileIdentity(path)
        self.path = UnixPath(path)
    }

    /// The path of the file.
    var location: String { path.path }

    /// Removes the file, unless another file has replaced it.
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

/// Identifies the file at a path; if the path is a symbolic link, identifies the link itself.
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
