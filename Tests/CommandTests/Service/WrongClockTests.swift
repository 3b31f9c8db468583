import Foundation
import Support
import Testing

/// A node that starts with a clock that is years ahead.
///
/// libfaketime changes the clock, if it is installed; then the kernel also refuses to set the node's alarm.
@Suite(.enabled(if: FakeClock.library != nil, "libfaketime is not installed"))
struct `A node whose clock is ten years ahead` {
    @Test func `a node with a wrong clock starts, reports it, and serves`() throws {
        let laptop = try Account("laptop")[0]
        #expect(try laptop.stopNode() == 0)
        laptop.variables = [
            "LD_PRELOAD": try #require(FakeClock.library), "DONT_FAKE_MONOTONIC": "1", "FAKETIME": "+3650d",
        ]
        try laptop.startNode()
        laptop.variables = [:]
        try laptop.must("start", "org.example.editing", "--title", "ahead")
        #expect(laptop.log.contains("Can't set a timer: Invalid argument. Timers run without it."))
        #expect(try laptop.must("status").contains("the right of this machine to admit and renew others"))
        #expect(try laptop.stopNode() == 0)

        // With the right clock everything works again.
        try laptop.startNode()
        #expect(try laptop.list().map { $0["title"].string } == ["ahead"])
        try laptop.must("update", "--title", "back")
        #expect(try laptop.list().map { $0["title"].string } == ["back"])
        #expect(try laptop.stopNode() == 0)
    }
}

private enum FakeClock {
    /// The library that fakes clocks, if it is installed.
    static let library: String? = {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
        return folders.map { "/usr/lib/\($0)/faketime/libfaketimeMT.so.1" }
            .first { FileManager.default.fileExists(atPath: $0) }
    }()
}
