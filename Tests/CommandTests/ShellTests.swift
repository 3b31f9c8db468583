import Foundation
import Support
import Testing

/// The activity of a shell ends with the shell, whichever other processes are alive.
@Suite struct `Activities of shells` {
    /// A shell that starts an activity, says so, and runs until it is killed.
    private func shell(on machine: Machine, _ start: String) throws -> ChildProcess {
        let shell = try machine.begin([
            "bash", "-c", "baton start \(start) && baton list && echo ready; exec sleep 600",
        ])
        try eventually("a shell that is ready: \(shell.errors)") { shell.output.contains("ready\n") }
        return shell
    }

    @Test func `a shell's activity ends on every machine when the shell ends`() throws {
        let account = try Account("laptop", "desktop")
        let first = try shell(on: account[0], "x --title 'of a shell'")
        let second = try shell(on: account[0], "x --title 'of another'")
        for machine in account.machines {
            try machine.waitForActivity(titled: "of a shell")
            try machine.waitForActivity(titled: "of another")
        }
        first.end(SIGKILL)
        for machine in account.machines { try machine.waitForEnd(ofActivityTitled: "of a shell") }
        for machine in account.machines { #expect(try machine.list().count == 1) }
        second.end(SIGHUP)
        for machine in account.machines { try machine.waitForEnd(ofActivityTitled: "of another") }
    }

    @Test func `each shell has one activity, which commands without an ID refer to`() throws {
        let account = try Account("laptop", "desktop")
        let shell = try account[0].begin([
            "bash", "-c",
            "baton start x --title one && baton start y --title two && baton update --title three && baton list --json"
                + " && echo ready; exec sleep 600",
        ])
        try eventually("a shell that is ready: \(shell.errors)") { shell.output.contains("ready\n") }
        try account[1].waitForActivity(titled: "three")
        #expect(try account[1].list().count == 1)
        // The test itself is another shell.
        #expect(try account[0].baton("finish").status == 11)
        shell.end(SIGKILL)
        try account[1].waitForEnd(ofActivityTitled: "three")
    }

    @Test(arguments: [SIGKILL, SIGTERM])
    func `a shell's activity ends even if the shell is killed while no node runs`(
        signal: Int32
    ) throws {
        let account = try Account("laptop", "desktop")
        let dying = try shell(on: account[0], "x --title dying")
        let living = try shell(on: account[0], "x --title living")
        for title in ["dying", "living"] { try account[1].waitForActivity(titled: title) }
        account[0].signalNode(signal)
        try eventually("the end of the node") { !account[0].isNodeRunning }
        dying.end(SIGKILL)
        // Nobody could tell the desktop now.
        #expect(try account[1].list().count == 2)
        try account[0].startNode()
        for machine in account.machines { try machine.waitForEnd(ofActivityTitled: "dying") }
        for machine in account.machines { try machine.waitForActivity(titled: "living") }
        // A shell that is still alive is watched again.
        living.end(SIGKILL)
        for machine in account.machines { try machine.waitForEnd(ofActivityTitled: "living") }
    }

    @Test func `an activity with --instance outlives the shell and the node`() throws {
        let account = try Account("laptop", "desktop")
        let shell = try shell(on: account[0], "x --instance notes --title named")
        try account[1].waitForActivity(titled: "named")
        shell.end(SIGKILL)
        account[0].killNode()
        try account[0].startNode()
        try account[0].waitUntilInStep()
        for machine in account.machines { try machine.waitForActivity(titled: "named") }
        try account[0].must("finish", "--instance", "notes")
        for machine in account.machines { try machine.waitForEnd(ofActivityTitled: "named") }
    }

    @Test func `an expired activity is not listed on any machine`() throws {
        let account = try Account("laptop", "desktop")
        try account[0].must("start", "x", "--title", "short", "--expires", "1s")
        try account[0].must("start", "x", "--instance", "long", "--title", "long", "--expires", "1h")
        try account[1].waitForActivity(titled: "long")
        for machine in account.machines { try machine.waitForEnd(ofActivityTitled: "short") }
        for machine in account.machines { try machine.waitForActivity(titled: "long") }
        #expect(try account[0].baton("continue", "x").status == 0)
    }
}
