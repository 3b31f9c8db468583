import Foundation
import Support

/// A node that this process uses as an app with entities.
final class EntityHome {
    private let home: NodeHome

    /// How many entities a call indexes.
    static let callEntities = 500

    init(_ folder: TemporaryFolder) throws {
        home = try NodeHome(folder.path + "/home")
        try home.start()
        setenv("BATON_HOME", home.path, 1)
        setenv("BATON_APP", "org.example.reports", 1)
        setenv("XDG_STATE_HOME", folder.path + "/state", 1)
    }

    func stop() throws { try home.stop() }
}
