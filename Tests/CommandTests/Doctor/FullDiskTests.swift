import Foundation
import Support
import Testing

/// The words of a machine about another one whose disk is full.
@Suite(.enabled(if: getuid() == 0, "only root can mount"))
struct `A machine whose disk is full` {
    @Test func `is reported by other machines as not storing changes, until it has room or is off`() throws {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        try #require(try desktop.stopNode() == 0)
        // The node gets a small disk with a copy of its home, in a mount namespace of its own.
        let home = desktop.home
        let line =
            "cp -a '\(home)' '\(home).copy' && mount -t tmpfs -o mode=700,size=24m small '\(home)'"
            + " && cp -a '\(home).copy/.' '\(home)/' && exec \"$@\""
        try desktop.startNode(
            by: ["unshare", "--mount", "/bin/sh", "-ec", line, "sh", Products.baton, "node", "--listen"]
                + [desktop.address])
        func peer() throws -> JSONValue { try laptop.json("status")["peers"].list[0] }
        try eventually("both in step: \(desktop.log)") { try peer()["inStep"].boolean == true }

        let zeros = "/proc/\(try #require(desktop.nodeNumber))/root\(home)/zeros"
        let filling = "cat /dev/zero >'\(zeros)' 2>/dev/null || true"
        #expect(try laptop.type(["/bin/sh", "-c", filling]).status == 0)
        // More than what the files of its databases still have room for.
        let large = String(repeating: "x", count: 100_000)
        func write(_ numbers: ClosedRange<Int>) throws {
            for number in numbers {
                try laptop.must(
                    "start", "editing", "--instance", "\(number)", "--title", "waiting", "--info",
                    "text=\(large)"
                )
            }
        }
        try write(1...8)
        try eventually("that it can't store: \(laptop.log)\(desktop.log)") {
            try peer()["closeCode"] == .integer(3)
        }
        let checkup = try Checkup(laptop)
        #expect(checkup.answer.status == 21 && checkup.outcomes("device") == ["notStoring"], "\(checkup)")
        #expect(try checkup.finding("device")["found"].string?.contains("the disk is full") == true)
        #expect(checkup.advises("device", "free up space"), "\(checkup)")
        #expect(try laptop.must("status").contains("it can't store what it is sent: the disk is full"))

        #expect(unlink(zeros) == 0)
        try eventually("both in step: \(desktop.log)") { try peer()["inStep"].boolean == true }
        #expect(try peer()["closeCode"] == .null && peer()["trouble"] == .null)

        #expect(try laptop.type(["/bin/sh", "-c", filling]).status == 0)
        try write(9...16)
        try eventually("that it can't store: \(laptop.log)\(desktop.log)") {
            try peer()["closeCode"] == .integer(3)
        }
        // Its disk matters no more once its node is gone.
        desktop.killNode()
        try eventually("that no node is there: \(laptop.log)") {
            try peer()["trouble"].string?.contains("no program is listening") == true
        }
        #expect(try peer()["closeCode"] == .null)
    }
}
