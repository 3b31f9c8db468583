import Foundation

/// A node that this process uses as an app.
///
/// The libraries connect to one home for the life of a process, so benchmarks use the same path, one after the other.
final class AppHome {
    private let home: NodeHome

    /// The folder of the home and of what the libraries keep.
    private static let folder = NSTemporaryDirectory() + "/baton-benchmark-\(getpid())"

    /// Starts a node in a new home.
    init() throws {
        home = try NodeHome(Self.folder + "/home")
        try home.start()
        setenv("BATON_HOME", home.path, 1)
        setenv("BATON_APP", Self.app, 1)
        setenv("XDG_STATE_HOME", Self.folder + "/state", 1)
    }

    /// The app of this program, as the libraries know it.
    static let app = "org.example.library"

    /// Where the node runs.
    var path: String { home.path }

    /// Stops the node, and removes the home.
    func stop() throws {
        try home.stop()
        try FileManager.default.removeItem(atPath: Self.folder)
    }
}
