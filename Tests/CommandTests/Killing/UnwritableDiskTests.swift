import Foundation
import Glibc
import Support
import Testing

/// Nodes that start on a disk that is full or can't be written; only root can mount such disks.
@Suite(.enabled(if: getuid() == 0, "only root can mount a disk for this: these tests are skipped"))
struct `A node that starts on a disk it can't write` {
    /// Starts the node of a machine in a mount namespace of its own, after a script that has its home as `$1`.
    private func start(_ machine: Machine, after script: String) throws {
        try machine.startNode(by: [
            "/usr/bin/unshare", "-m", "--propagation", "private", "/bin/sh", "-ec",
            script + "\nexec \"$0\" node --listen \(machine.address)", Products.baton, machine.home,
        ])
    }

    /// Runs a command where the node sees its disk.
    private func enter(_ machine: Machine, _ words: String...) throws {
        let number = try #require(machine.nodeNumber)
        let answer = try machine.type(["/usr/bin/nsenter", "-t", "\(number)", "-m"] + words)
        try #require(answer.status == 0, "\(answer)")
    }

    /// Waits for a status that holds the text, whether it is that of a node that serves or the reason why it does not.
    private func awaitStatus(_ machine: Machine, with text: String) throws {
        try eventually("a status with “\(text)”; the log: \(machine.log)") {
            try #require(machine.isNodeRunning, "\(machine.log)")
            let answer = try machine.baton("status")
            return (answer.output + answer.errors).contains(text)
        }
    }

    @Test(arguments: [false, true])
    func `serves what stands there, says that it is read-only, and writes once it can`(wasKilled: Bool)
        throws
    {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        try laptop.must("start", "x", "--instance", "1", "--title", "before")
        try laptop.must("index", "add", "org.example.notes", "a", "--title", "kept words")
        try desktop.waitForActivity(titled: "before")
        if wasKilled { laptop.killNode() } else { #expect(try laptop.stopNode() == 0) }
        try start(
            laptop,
            after: "mount --bind \"$1/accounts\" \"$1/accounts\"; mount -o remount,bind,ro \"$1/accounts\"")
        try awaitStatus(laptop, with: "findmnt -T")
        #expect(try laptop.must("status").contains("nothing more is kept until then"), "\(laptop.log)")
        #expect(try laptop.titles().values.contains("before"))
        #expect(try laptop.json("search", "kept")["items"].list.map { $0["item"].string } == ["a"])
        let refused = try laptop.baton("start", "x", "--instance", "2", "--title", "refused")
        #expect(refused.status == 13 && refused.errors.contains("It was not kept"), "\(refused)")

        try enter(laptop, "/bin/mount", "-o", "remount,bind,rw", laptop.home + "/accounts")
        try eventually("a disk that can be written: \(laptop.log)") {
            try !laptop.must("status").contains("findmnt")
        }
        try laptop.must("start", "x", "--instance", "3", "--title", "after")
        try laptop.must("index", "add", "org.example.notes", "b", "--title", "more words")
        try desktop.waitForActivity(titled: "after")
        #expect(try laptop.json("search", "words")["items"].list.count == 2)
        #expect(try laptop.stopNode() == 0)
        try laptop.startNode()
        #expect(try Set(laptop.titles().values).isSuperset(of: ["before", "after"]))
    }

    @Test func `says that it is full before anything is refused, and keeps changes once there is room`()
        throws
    {
        let account = try Account("laptop")
        let laptop = account[0]
        #expect(try laptop.stopNode() == 0)
        try start(
            laptop,
            after: """
                umask 077
                cp -a "$1/accounts" "$1.copy"
                mount -t tmpfs -o size=2m,mode=700 tmpfs "$1/accounts"
                cp -a "$1.copy/." "$1/accounts/"
                dd if=/dev/zero of="$1/accounts/fill" bs=4k 2>/dev/null || true
                """)
        try awaitStatus(laptop, with: "df -h")
        try enter(laptop, "/bin/rm", laptop.home + "/accounts/fill")
        try awaitStatus(laptop, with: "the node runs")
        try laptop.must("start", "x", "--instance", "1", "--title", "after")
        #expect(try !laptop.must("status").contains("df -h"))
        #expect(try laptop.stopNode() == 0)
    }
}
