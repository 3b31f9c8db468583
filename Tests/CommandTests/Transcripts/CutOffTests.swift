import BatonCore
import Foundation
import Support
import Testing

/// A person's shell on a machine that still believes to be connected with an unreachable one.
@Suite(
    .enabled(
        if: TerminalShell.isThere,
        "tmux is not on this machine: `Scripts/install-dependencies test` installs it")
)
struct `A transcript of two shells that are cut off` {
    private let folder: TemporaryFolder
    private let laptop: Machine
    private let desktop: Machine
    private let cable: Cable

    init() throws {
        folder = try TemporaryFolder()
        (laptop, desktop) = (Machine("laptop", in: folder), Machine("desktop", in: folder))
        try laptop.must("init", "--no-confirm", "--name", "laptop")
        try laptop.startNode()
        cable = try Cable(to: laptop.port)
        try desktop.must(
            "join", try laptop.invite(), "--at", "\(Cable.address):\(laptop.port)", "--name", "desktop")
        // The laptop does not look for it at this address, so all traffic goes through the cable.
        desktop.address = "127.0.0.3:0"
        try desktop.startNode()
        try desktop.waitUntilConnected(with: laptop)
    }

    @Test func `the shells continue from the replica while disconnected, and agree once reconnected`()
        throws
    {
        let (near, far) = (try TerminalShell(on: laptop), try TerminalShell(on: desktop))
        try near.run("baton start org.example.editing --title Draft --info line:=42")
        try desktop.waitForActivity(titled: "Draft")
        cable.unplug()
        // Nobody here can know of this change.
        try near.run("baton update --info line:=43")
        #expect(try desktop.json("status")["peers"].list.first?["connected"] == .boolean(true))
        let started = ContinuousClock.now
        let lines = try far.run("baton continue org.example.editing --no-handler")
        let time = ContinuousClock.now - started
        try #require(lines.count > 2, "\(lines)")
        #expect(lines[0...1] == ["“Draft”", "org.example.editing"] && lines.last == "line = 42", "\(lines)")
        #expect(lines[2].hasPrefix("“laptop” could not be reached: as it was "), "\(lines)")
        #expect(time >= Limits().continuingTime && time < .seconds(10), "\(time)")
        let taken = try far.run("baton continue org.example.editing --no-handler --take")
        try #require(taken.count > 2, "\(taken)")
        #expect(
            taken[2].hasPrefix("“laptop” could not be reached: as it was ")
                && taken[2].hasSuffix("; it will end there"), "\(taken)")
        #expect(taken.last == "It is now the activity of this shell.", "\(taken)")
        let list = try far.run("baton list")
        #expect(list.count == 2 && list[1].contains("  here    app   Draft  "), "\(list)")
        let alone = try near.run("baton list")
        #expect(alone.count == 2 && alone[1].contains("  here    app   Draft  "), "\(alone)")
        cable.plug()
        for (machine, shell) in [(laptop, near), (desktop, far)] {
            try eventually("the desktop's alone on \(machine.name); \(machine.log)") {
                let list = try machine.list()
                return list.count == 1 && list[0]["device"]["name"] == .string("desktop")
            }
            let last = try shell.run("baton list").last
            let device = machine === laptop ? "desktop" : "here  "
            #expect(last?.contains("  \(device)  app   Draft") == true, "\(last ?? "")")
        }
        #expect(try desktop.list().first?["info"] == .object(["line": .integer(42)]))
    }
}
