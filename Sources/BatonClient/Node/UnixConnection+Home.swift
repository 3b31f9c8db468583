import BatonCore
import BatonNetwork

extension UnixConnection {
    /// Connects to the node of a home.
    ///
    /// The socket is usually in the home. If the disk of the home can't hold a socket, a node listens in a folder of
    /// the session. The command uses that folder only if it belongs to this user. `su` and `sudo -E` keep the
    /// environment variable of another user's session. In that case, the failure must only say that no node is running.
    static func toNode(
        of home: Home, deadline: MonotonicTime
    ) throws(NetworkError) -> UnixConnection {
        do throws(NetworkError) {
            return try UnixConnection(to: home.socket, deadline: deadline)
        } catch {
            guard error.code == .notFound || error.code == .refused, let spare = home.spareSocket,
                PrivateFolder.isOwn(home.runtime)
            else { throw error }
            return try UnixConnection(to: spare, deadline: deadline)
        }
    }
}
