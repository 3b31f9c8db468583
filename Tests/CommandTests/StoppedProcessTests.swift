import BatonCore
import Foundation
import Support
import Testing

/// Processes that exist and do nothing: a stopped node, and a client that does not read.
@Suite struct `Stopped processes` {
    @Test
    func `an activity of a stopped node is continued from its replica within the promised time`()
        throws
    {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        try laptop.must("start", "editing", "--title", "Draft", "--info", "line:=42")
        try desktop.waitForActivity(titled: "Draft")
        laptop.signalNode(SIGSTOP)
        defer { laptop.signalNode(SIGCONT) }
        let started = ContinuousClock.now
        let continued = try desktop.json("continue", "editing")
        let time = ContinuousClock.now - started
        #expect(continued["source"] == .string("replica"))
        #expect(continued["activity"]["info"]["line"] == .integer(42))
        // The promise is one second; the rest is for a machine that is busy with other tests.
        #expect(time >= Limits().continuingTime && time < .seconds(10), "\(time)")
        let answer = try desktop.must("continue", "editing")
        #expect(answer.contains("“laptop” could not be reached: as it was "), "\(answer)")

        // When it is resumed, it serves again, and its late answer is ignored.
        laptop.signalNode(SIGCONT)
        try eventually("a fresh answer") {
            try desktop.json("continue", "editing")["source"] == .string("node")
        }
        try laptop.must("update", "--title", "awake")
        try desktop.waitForActivity(titled: "awake")
    }

    @Test func `a command for a stopped node times out`() throws {
        let laptop = try Account("laptop")[0]
        laptop.signalNode(SIGSTOP)
        defer { laptop.signalNode(SIGCONT) }
        let answer = try laptop.baton("list")
        #expect(answer.status == 1 && answer.errors.contains("did not answer within 10 seconds"), "\(answer)")
    }

    @Test func `status shows how many changes behind a stopped machine is, until it has caught up`() throws {
        let account = try Account("laptop")
        let (machine, desktop) = (account[0], account.newMachine("desktop"))
        try desktop.join(machine)
        try desktop.startNode()
        try machine.waitUntilInStep()
        let peer = { try machine.json("status")["peers"].list[0] }
        #expect(try peer()["connectedSince"].string != nil && peer()["outOfStepSince"] == .null)
        desktop.signalNode(SIGSTOP)
        defer { desktop.signalNode(SIGCONT) }
        for number in 0..<3 { try machine.must("start", "t", "--instance", "\(number)") }
        let behind = try peer()
        #expect(behind["backlog"]["toSend"] == .integer(3) && behind["inStep"].boolean == false, "\(behind)")
        #expect(behind["outOfStepSince"].string != nil)
        #expect(try machine.must("status").contains("(3 changes to send)"))
        desktop.signalNode(SIGCONT)
        try machine.waitUntilInStep()
        let after = try peer()
        #expect(after["backlog"]["toSend"] == .integer(0) && after["outOfStepSince"] == .null, "\(after)")
    }

    @Test func `a client that never reads its replies costs the node a bounded amount of memory`() throws {
        let account = try Account("laptop")
        let laptop = account[0]
        let large = String(repeating: "x", count: 120_000)
        for number in 0..<8 {
            try laptop.must("start", "x", "--instance", "\(number)", "--info", "x=" + large)
        }
        let process = try #require(laptop.nodeNumber)
        let before = try residentBytes(of: process)

        let client = try RawConnection(unix: laptop.home + "/run/node.sock")
        var questions = LocalHello(build: Build.version, process: 1).frame.encoded
        for number: UInt64 in 1...2000 {
            questions += try ListActivities().frame(number: number).encoded
        }
        client.write(questions)
        // A list is about a megabyte: answered all at once, these would be two gigabytes.
        for _ in 0..<5 {
            try laptop.must("status")
            let used = try residentBytes(of: process) - before
            #expect(used < 64 << 20, "\(used >> 20) MiB more")
        }
        // No request was forgotten.
        var decoder = FrameDecoder()
        var answers: UInt64 = 0
        while answers < 200 {
            decoder.feed(try #require(client.read()))
            while let frame = try decoder.next() {
                guard frame.kind == .localAnswer else { continue }
                answers += 1
                #expect(try LocalAnswer(frame).number == answers)
            }
        }
    }

    /// The resident memory of a process.
    private func residentBytes(of process: pid_t) throws -> Int {
        let status = try #require(File.read("/proc/\(process)/status"))
        return try #require(status.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap { Int($0.1) }) << 10
    }
}
