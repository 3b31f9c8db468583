import Foundation
import Support
import Testing

/// An activity that lasts as long as a command runs.
@Suite struct `baton run-with` {
    @Test func `the activity lasts as long as the command, and has the command line as its title`() throws {
        let account = try Account("laptop", "desktop")
        let run = try account[0].begin(
            ["baton", "run-with", "build", "--", "sh", "-c", "read line; exit 37"], hasInput: true)
        let title = "sh -c 'read line; exit 37'"
        for machine in account.machines { try machine.waitForActivity(titled: title) }
        #expect(try account[1].json("continue", "build")["source"] == .string("app"))
        run.write([10])
        #expect(try run.wait() == 37)
        for machine in account.machines { try machine.waitForEnd(ofActivityTitled: title) }
    }

    @Test func `the command outlives its node, and its activity is sent to the next node`() throws {
        let laptop = try Account("laptop")[0]
        let run = try laptop.begin(
            ["baton", "run-with", "build", "--title", "T", "--", "sh", "-c", "read line"], hasInput: true)
        try laptop.waitForActivity(titled: "T")
        laptop.killNode()
        try laptop.startNode()
        try laptop.waitForActivity(titled: "T")
        #expect(run.isRunning)
        run.write([10])
        #expect(try run.wait() == 0)
        try laptop.waitForEnd(ofActivityTitled: "T")
    }

    @Test func `the command runs without a node, and the activity starts once there is one`() throws {
        let laptop = try Account("laptop")[0]
        laptop.killNode()
        let answer = try laptop.baton("run-with", "build", "--", "echo", "it ran")
        #expect(answer.status == 0 && answer.output == "it ran\n", "\(answer)")
        #expect(
            answer.errors.hasPrefix("baton: The command runs without an activity. No node is running here."),
            "\(answer)")
        let run = try laptop.begin(
            ["baton", "run-with", "build", "--title", "late", "--", "sh", "-c", "read line"], hasInput: true)
        try laptop.startNode()
        try laptop.waitForActivity(titled: "late")
        run.closeInput()
        #expect(try run.wait() == 1)
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGUSR1]) func `signals are passed on to the command`(
        signal: Int32
    ) throws {
        let laptop = try Account("laptop")[0]
        let script = "trap 'echo \(signal); exit 5' \(signal); echo ready; while :; do sleep 0.05; done"
        let run = try laptop.begin(["baton", "run-with", "x", "--", "sh", "-c", script])
        try eventually("a command that is ready: \(run.errors)") { run.output == "ready\n" }
        run.signal(signal)
        #expect(try run.wait() == 5)
        #expect(run.output == "ready\n\(signal)\n")
    }

    @Test func `a missing or unusable command exits with the status that a shell would report`()
        throws
    {
        let laptop = try Account("laptop")[0]
        let missing = try laptop.baton("run-with", "x", "--", "no-such-program")
        #expect(missing.status == 127, "\(missing)")
        #expect(missing.errors.hasPrefix("baton: The program no-such-program is not installed"), "\(missing)")
        #expect(try laptop.baton("run-with", "x", "--", "/no/such/program").status == 127)
        let folder = try laptop.baton("run-with", "x", "--", laptop.home)
        #expect(folder.status == 126 && folder.errors.hasPrefix("baton: "), "\(folder)")
        #expect(try laptop.list().isEmpty)
    }

    @Test func `the exit status is the command's, and 137 for a killed command`() throws {
        let laptop = try Account("laptop")[0]
        #expect(try laptop.baton("run-with", "x", "--", "sh", "-c", "kill -9 $$").status == 128 + SIGKILL)
    }
}
