import BatonCore
import BatonNetwork

extension UnixConnection {
    /// Connects to the node of a home: in the home, else where a node listens if the disk of the home can't hold a
    /// socket.
    ///
    /// That other folder counts only if it belongs to this user: `su` and `sudo -E` leave the variable of another
    /// user's session, and then the failure must only say that no node is running.
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
