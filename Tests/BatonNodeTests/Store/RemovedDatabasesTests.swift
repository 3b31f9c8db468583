import BatonCore
import BatonNode
import Foundation
import Support
import Testing

/// Databases that were moved within an account's folder.
@Suite struct `Moved databases` {
    @Test func `are deleted by a running node when they are old, except the newest of each kind`()
        throws
    {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder, "home") { limits in
            limits.movedDatabasesPause = .milliseconds(50)
            (limits.erasingTime, limits.erasingPause) = (.milliseconds(100), .milliseconds(10))
        }
        let account = node.home.account()
        let write = { (name: String) in
            try Data([1]).write(to: URL(fileURLWithPath: "\(account)/\(name)"))
        }
        let isThere = { (name: String) in FileManager.default.fileExists(atPath: "\(account)/\(name)") }
        let old = ["index.sqlite.replaced-2020-01-01", "index.sqlite.replaced-2020-01-01-wal"]
        // The others are newer, or the only ones of their kind.
        let kept = ["index.sqlite.replaced-2020-01-02", "activities.sqlite.damaged-2020-01-01"]
        for name in kept + old { try write(name) }
        try eventually("the removal of \(old): \(node.lines)") { !old.contains(where: isThere) }
        let line = "databases that were moved long ago were removed: index.sqlite.replaced-2020-01-01"
        try eventually("a line of the log: \(node.lines)") { node.lines.contains { $0.contains(line) } }
        #expect(kept.allSatisfy(isThere))
        try write(old[0])
        try eventually("another removal: \(node.lines)") { !isThere(old[0]) }
    }
}
