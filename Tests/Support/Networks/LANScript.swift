import Foundation

/// The scripts of `Tests/LAN`, which play other programs and devices of a network.
package enum LANScript {
    /// Returns the path of a script.
    package static func path(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path + "/LAN/" + name
    }
}
