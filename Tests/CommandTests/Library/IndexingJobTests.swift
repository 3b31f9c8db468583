import Foundation
import Support
import Testing

/// An indexing job that is killed again and again goes on where its client state says.
///
/// `BATON_KILLS` sets the number of kills; `BATON_SEED` repeats one run, as far as moments can be repeated.
@Suite struct `Killing an indexing job` {
    private static let kills =
        (ProcessInfo.processInfo.environment["BATON_KILLS"].flatMap { Int($0) } ?? 20) / 4

    @Test func `a killed job finally indexes all items, and repeats at most the last batch after each kill`()
        throws
    {
        let seed = Seeds.replayed ?? UInt64.random(in: 1...UInt64(UInt32.max))
        let comment: Comment = "BATON_SEED=\(seed)"
        var generator = SeededGenerator(seed: seed)
        let account = try Account("laptop", "desktop")
        let machines = [account[0], account[1]]
        let count = Self.kills >= 20 ? 10_000 : 3000
        var (batches, kills): ([Int], Int) = ([], 0)
        while kills < Self.kills {
            // Every third time the job goes on on the other machine, once that is in step.
            let machine = machines[kills % 3 == 2 ? 1 : 0]
            if kills % 3 != 1 { try machine.waitUntilInStep() }
            let job = try IndexedNumbers(machine: machine).begin("job", "\(count)", "100")
            let after = generator.number(1...3)
            try eventually("\(after) batches or the end; \(job.output) \(job.errors)") {
                job.lines.count > after || !job.isRunning
            }
            usleep(UInt32(generator.number(0...20_000)))
            job.end(SIGKILL)
            batches += job.lines.compactMap { $0.hasPrefix("batch ") ? Int($0.dropFirst(6)) : nil }
            kills += 1
            if generator.chance(30) {
                machine.killNode()
                try machine.startNode()
            }
        }
        for machine in machines { try machine.waitUntilInStep() }
        let last = IndexedNumbers(machine: machines[1])
        let lines = try last.run("job", "\(count)", "100")
        batches += lines.compactMap { $0.hasPrefix("batch ") ? Int($0.dropFirst(6)) : nil }
        try #require(lines.last == "done", comment)
        for machine in machines { try machine.waitUntilInStep() }
        for machine in machines {
            let numbers = IndexedNumbers(machine: machine)
            #expect(try numbers.found(0..<count) == Array(0..<count), "\(machine.name), \(comment)")
            #expect(try numbers.state(of: "job") == "\(count)", "\(machine.name), \(comment)")
        }
        // The batch that a kill interrupts has told nothing, so each that has told so was done one time.
        let repeated = batches.count - Set(batches).count
        #expect(repeated == 0, "\(repeated) of \(batches.count) batches were done again; \(comment)")
        print(
            "Killing an indexing job: \(kills) kills, \(batches.count) acknowledged batches, \(repeated) repeated"
        )
    }

    @Test func `changes spooled without a node are all applied once, in order`() throws {
        let seed = Seeds.replayed ?? UInt64.random(in: 1...UInt64(UInt32.max))
        let comment: Comment = "BATON_SEED=\(seed)"
        var generator = SeededGenerator(seed: seed)
        let account = try Account("laptop")
        let numbers = IndexedNumbers(machine: account[0])
        var next = 0
        for round in 0..<Self.kills {
            if round % 2 == 0 { account[0].killNode() } else { try account[0].startNode() }
            let app = try numbers.begin("roll", "\(next)", "100000")
            let count = generator.number(1...20)
            try eventually("\(count) steps: \(app.output) \(app.errors)") { app.lines.count >= count }
            if generator.chance(30) { account[0].killNode() }
            usleep(UInt32(generator.number(0...20_000)))
            app.end(SIGKILL)
            if !account[0].isNodeRunning, round % 2 == 1 { try account[0].startNode() }
            let kept = app.lines.compactMap { $0.hasPrefix("kept ") ? Int($0.dropFirst(5)) : nil }
            #expect(!app.output.contains("failed"), "\(app.output)")
            // The one under way may be kept or not; it comes again.
            next = (kept.last ?? next - 1) + 1
        }
        if !account[0].isNodeRunning { try account[0].startNode() }
        #expect(try numbers.run("roll", "\(next)", "2").last == "done", comment)
        try eventually("the last two alone; \(comment)") {
            try numbers.found(0..<(next + 2)) == [next, next + 1]
                && numbers.state(of: "roll") == "\(next + 1)"
        }
    }

    @Test func `two processes spool their changes without a node, and a third process sends them`() throws {
        let account = try Account("laptop")
        let numbers = IndexedNumbers(machine: account[0])
        account[0].killNode()
        let apps = try [numbers.begin("add", "0", "200"), numbers.begin("add", "200", "200")]
        for app in apps { #expect(try app.wait() == 0, "\(app.output) \(app.errors)") }
        for app in apps {
            let isWhole = app.lines.last == "done" && !app.output.contains("failed")
            #expect(isWhole, "\(app.output.suffix(500)) \(app.errors)")
        }
        try account[0].startNode()
        #expect(try numbers.run("add", "400", "1") == ["kept 400", "done"])
        try eventually("all of it") { try numbers.found(0..<401) == Array(0..<401) }
    }

    @Test func `a running app sends spooled changes as soon as a node runs`() throws {
        let account = try Account("laptop")
        let numbers = IndexedNumbers(machine: account[0])
        account[0].killNode()
        let app = try numbers.begin("add", "0", "100000")
        try eventually("some") { app.lines.count > 20 }
        try account[0].startNode()
        let count = app.lines.count
        try eventually("some more") { app.lines.count > count + 20 }
        app.signal(SIGSTOP)
        let kept = app.lines.compactMap { $0.hasPrefix("kept ") ? Int($0.dropFirst(5)) : nil }
        let other = try numbers.run("add", "200000", "1")
        #expect(other == ["kept 200000", "done"], "a stopped app harms no other")
        try eventually("all of it") { try numbers.found(0..<kept.count) == kept }
        app.end(SIGKILL)
        #expect(kept == Array(0..<kept.count))
    }

    @Test func `a forked child has its own connection`() throws {
        let account = try Account("laptop")
        let numbers = IndexedNumbers(machine: account[0])
        let lines = try numbers.run("fork")
        #expect(lines.last == "child 0", "\(lines)")
        #expect(
            try numbers.found(0..<200) == Array(0..<5) + Array(10..<15) + Array(100..<105), "\(lines)")
    }
}
