import Glibc

/// Finds out whether the disk of a folder can hold Unix sockets.
package enum SocketTrial {
    /// Returns the reason why the disk of a folder can't hold sockets, or nil if it may be able to.
    ///
    /// The trial leaves no file behind. Other failures, such as a missing folder, say nothing about the disk, so they
    /// count as nil.
    package static func problem(in folder: String) -> NetworkError? {
        let path = UnixPath("\(folder)/trial-\(getpid()).sock")
        do throws(NetworkError) {
            let socket = try Socket.stream(family: AF_UNIX)
            let (result, error) = path.bind(socket)
            guard result == 0 else {
                throw NetworkError(number: error, operation: "make a socket in \(folder)")
            }
            try SystemCall.run("remove \(path.path)") { unsafe unlink(path.path) }
            return nil
        } catch {
            return [.readOnly, .permission, .unsupported].contains(error.code) ? error : nil
        }
    }
}
