import Foundation
import Support
import Testing

/// A node that starts with a clock that is years ahead.
///
/// libfaketime changes the clock; the kernel then also refuses to set the node's alarm.
@Suite(
    .enabled(
        if: FakeClock.library != nil,
        "libfaketime is not on this machine: `Scripts/install-dependencies test` installs it")
)
struct `A node whose clock is ten years ahead` {
    @Test func `a node with a wrong clock starts, reports the fault, and serves`() throws {
        let laptop = try Account("laptop")[0]
        #expect(try laptop.stopNode() == 0)
        try laptop.startNode(
            by: try FakeClock.words() + [Products.baton, "node", "--listen", laptop.address])
        let number = try #require(laptop.nodeNumber)
        defer { FakeClock.removeTraces(of: number) }
        try eventually("an answer of the node: \(laptop.log)") {
            try #require(laptop.isNodeRunning, "\(laptop.log)")
            return try laptop.baton("status").status == 0
        }
        try laptop.must("start", "org.example.editing", "--title", "ahead")
        #expect(
            laptop.log.contains(
                "Can't set a timer: Invalid argument. Timers still run, but may be late after a sleep."))
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

    /// The words that run a command behind them with a clock that is ten years ahead, in their own process.
    ///
    /// The library sets a variable in the first process that loads it, before `main`. Swift's runtime, which looks for
    /// the arguments beside the variables, finds none in such a process. So a shell is the first one.
    static func words() throws -> [String] {
        let library = try #require(library)
        return [
            "/usr/bin/env", "LD_PRELOAD=\(library)", "DONT_FAKE_MONOTONIC=1", "FAKETIME=+3650d", "/bin/sh",
            "-c", "exec \"$0\" \"$@\"",
        ]
    }

    /// Removes what the library shares among processes: it stays if the first one becomes another program.
    static func removeTraces(of process: pid_t) {
        for name in ["faketime_shm_", "sem.faketime_sem_"] { unlink("/dev/shm/\(name)\(process)") }
    }
}
