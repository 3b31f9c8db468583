import BatonCore
import Foundation
import Support
import Testing

/// `baton restore`, with and without a running node.
@Suite struct `Restoring a backup` {
    @Test func `restoring brings back the backup, and keeps the replaced data under other names`() throws {
        let account = try Account("laptop")
        let laptop = account[0]
        let file = laptop.file("backup")
        try laptop.must("start", "x", "--instance", "a", "--title", "kept")
        try laptop.must("start", "x", "--instance", "b", "--title", "finished later")
        try laptop.must("backup", file)
        try laptop.must("finish", "--instance", "b")
        try laptop.must("start", "x", "--instance", "c", "--title", "after it")
        let text = try laptop.must("restore", file, "--yes")
        #expect(try laptop.titlesInOrder() == ["finished later", "kept"])
        #expect(text.contains("Changes since then come back from your other machines"), "\(text)")
        let replaced = text.split(separator: "\n").filter { $0.hasPrefix("  /") }.map {
            String($0.dropFirst(2))
        }
        #expect(replaced.count == 2 && replaced.allSatisfy { $0.contains(".sqlite.replaced-") }, "\(text)")
        #expect(replaced.allSatisfy { FileManager.default.fileExists(atPath: $0) })
        // Everything works again, also for activities that were going on then.
        try laptop.must("finish", "--instance", "b")
        try laptop.must("update", "--instance", "a", "--title", "changed")
        expect(try laptop.baton("finish", "--instance", "c"), 11)
        #expect(try laptop.titlesInOrder() == ["changed"])
        laptop.killNode()
        try laptop.startNode()
        #expect(try laptop.titlesInOrder() == ["changed"])
        #expect(try !laptop.must("status").contains("lost its last changes"))
        #expect(try !laptop.accountFiles().contains { $0.contains("restor") })
    }

    @Test func `a file that can't be restored is refused before any question is asked`() throws {
        let laptop = try Account("laptop")[0]
        let missing = try laptop.baton("restore", laptop.file("nothing"))
        #expect(missing.errors.contains("No such file") && !missing.errors.contains("--yes"), "\(missing)")
        try File.write("no backup", to: laptop.file("other"))
        let other = try laptop.baton("restore", laptop.file("other"))
        #expect(other.errors.contains("is not a backup") && !other.errors.contains("--yes"), "\(other)")
        try laptop.must("backup", laptop.file("backup"))
        expect(try laptop.baton("restore", laptop.file("backup")), 2)
    }

    @Test func `during a restore apps stay connected and keep their activities, and open batches are lost`()
        throws
    {
        let laptop = try Account("laptop")[0]
        let file = laptop.file("backup")
        let app = try laptop.begin(["baton", "app", "org.example.x"], hasInput: true)
        app.write(Array(#"{"handle":["org.example.x.*"],"title":"Writer"}"#.utf8) + [10])
        app.write(Array(#"{"become":{"type":"org.example.x.edit","title":"T"}}"#.utf8) + [10])
        try laptop.waitForActivity(titled: "T")
        try laptop.must("backup", file)
        app.write(Array(#"{"update":{"title":"U"}}"#.utf8) + [10])
        try laptop.waitForActivity(titled: "U")
        let indexing = try laptop.begin(["baton", "app", "org.example.y"], hasInput: true)
        indexing.write(
            Array(#"{"index":{"item":"n","title":"Pie"},"batch":1,"offset":0,"id":"b"}"#.utf8) + [10])
        try eventually("a batch: \(indexing.output)") { indexing.output.contains(#""id":"b""#) }

        try laptop.must("restore", file, "--yes")
        // The app has the same activity, and is still registered to continue others.
        #expect(try laptop.titlesInOrder() == ["U"])
        #expect(try laptop.json("list", "--finished")["activities"].list.isEmpty)
        #expect(
            try laptop.json("handlers")["handlers"].list.contains { $0["app"]["title"] == .string("Writer") })
        app.write(Array(#"{"update":{"title":"V"}}"#.utf8) + [10])
        try laptop.waitForActivity(titled: "V")
        app.write(Array(#"{"finish":true,"id":"f"}"#.utf8) + [10])
        try laptop.waitForEnd(ofActivityTitled: "V")
        #expect(!app.output.contains("error") && !app.output.contains("lost"), "\(app.output)")
        indexing.write(Array(#"{"batch":1,"count":1,"id":"e"}"#.utf8) + [10])
        try eventually("the loss of the batch: \(indexing.output)") {
            indexing.output.contains(#""id":"e""#) && indexing.output.contains(#""code":22"#)
        }
        for process in [app, indexing] {
            process.closeInput()
            #expect(try process.wait() == 0)
        }
    }

    @Test func `restoring works without a running node`() throws {
        let account = try Account("laptop")
        let laptop = account[0]
        try laptop.must("start", "x", "--instance", "a", "--title", "kept")
        try laptop.must("backup", laptop.file("backup"))
        try laptop.must("start", "x", "--instance", "b", "--title", "after it")
        laptop.killNode()
        let told = try laptop.json("restore", laptop.file("backup"), "--yes")
        #expect(told["moved"].list.count == 2 && told["restored"]["activities"].integer == 1)
        try laptop.startNode()
        #expect(try laptop.titlesInOrder() == ["kept"])
        #expect(try !laptop.must("status").contains("lost its last changes"))
    }

    @Test func `restoring without a terminal is refused without --yes`() throws {
        let account = try Account("laptop")
        let laptop = account[0]
        try laptop.must("start", "x", "--instance", "a", "--title", "kept")
        try laptop.must("backup", laptop.file("backup"))
        try laptop.must("start", "x", "--instance", "b", "--title", "after it")
        let answer = try laptop.baton("restore", laptop.file("backup"))
        expect(answer, 2)
        #expect(answer.errors.contains("--yes"))
        #expect(try laptop.titlesInOrder() == ["after it", "kept"])
    }

    @Test func `a restored machine converges with the others, and uses no dot twice`() throws {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        var known = try KnownDots(laptop)
        try laptop.must("start", "x", "--instance", "old", "--title", "old")
        try desktop.must("start", "x", "--instance", "d", "--title", "of the desktop")
        for machine in account.machines { try machine.waitUntilInStep() }
        try laptop.must("backup", laptop.file("backup"))
        for round in 0..<3 {
            // The other machines have these, and lack one.
            try laptop.must("start", "x", "--instance", "late \(round)", "--title", "late \(round)")
            try desktop.waitForActivity(titled: "late \(round)")
            for machine in account.machines { try machine.waitUntilInStep() }
            desktop.killNode()
            try laptop.must("start", "x", "--instance", "lost", "--title", "lost \(round)")
            laptop.killNode()
            for machine in account.machines { try known.note(machine) }
            try laptop.startNode()
            // It writes before it connects to anyone.
            try laptop.must("restore", laptop.file("backup"), "--yes")
            try laptop.must("start", "x", "--instance", "new", "--title", "new \(round)")
            try laptop.must("update", "--instance", "old", "--title", "old \(round)")
            try desktop.startNode()
            for machine in account.machines { try machine.waitUntilInStep() }
            for machine in account.machines {
                try machine.waitForActivity(titled: "late \(round)")
                try machine.waitForActivity(titled: "new \(round)")
            }
            let titles = try laptop.titlesInOrder()
            #expect(try desktop.titlesInOrder() == titles)
            #expect(titles.contains("of the desktop") && titles.contains("old \(round)"))
            #expect(!titles.contains { $0.hasPrefix("lost") }, "only the laptop had it")
            // The laptop can go on with the restored activities.
            try laptop.must("update", "--instance", "late \(round)", "--title", "late \(round)")
        }
        for machine in account.machines {
            #expect(
                !machine.log.contains("another machine uses the identity of this device"), "\(machine.log)")
            #expect(try machine.stopNode() == 0)
            try known.note(machine)
        }
        #expect(known.count > 10)
    }

    @Test func `a killed restoration leaves the old or the restored state`() throws {
        let seed = Seeds.replayed ?? UInt64.random(in: 1...UInt64(UInt32.max))
        var generator = SeededGenerator(seed: seed)
        let account = try Account("laptop")
        let laptop = account[0]
        var known = try KnownDots(laptop)
        try laptop.must("start", "x", "--instance", "a", "--title", "then")
        try laptop.must("backup", laptop.file("backup"))
        var (old, new) = (0, 0)
        let time = try laptop.time { _ = try laptop.must("restore", laptop.file("backup"), "--yes") }
        for kill in 0..<24 {
            let now = "now \(kill)"
            try laptop.must("start", "x", "--instance", "b", "--title", now)
            let process = try laptop.begin(["baton", "restore", laptop.file("backup"), "--yes"])
            usleep(generator.moment(of: time))
            laptop.killNode()
            let status = try process.wait()
            try known.note(laptop)
            try laptop.startNode()
            let titles = try laptop.titlesInOrder()
            #expect(
                titles == ["then"] || (titles == [now, "then"] && status != 0),
                "\(titles); BATON_SEED=\(seed)")
            if titles == ["then"] { new += 1 } else { old += 1 }
            #expect(try !laptop.accountFiles().contains { $0.contains("restor") })
        }
        laptop.killNode()
        try known.note(laptop)
        print("Killing restorations: \(old) left the state before, \(new) the other; BATON_SEED=\(seed)")
    }

    @Test func `a truncated, changed or foreign file is refused, and nothing changes`() throws {
        let account = try Account("laptop")
        let laptop = account[0]
        try laptop.must("start", "x", "--instance", "a", "--title", "one")
        try laptop.must("backup", laptop.file("backup"))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: laptop.file("backup")))
        var flipped = bytes
        flipped[bytes.count / 2] ^= 1
        let files: [(Data, String)] = [
            (bytes.prefix(bytes.count / 2), "cut or damaged"), (flipped, "cut or damaged"),
            (Data(), "not a backup"), (Data("SQLite format 3".utf8), "not a backup"),
        ]
        for isRunning in [true, false] {
            for (bytes, words) in files {
                try bytes.write(to: URL(fileURLWithPath: laptop.file("hostile")))
                let answer = try laptop.baton("restore", laptop.file("hostile"), "--yes")
                expect(answer, 1)
                #expect(answer.errors.contains(words), "\(answer)")
            }
            expect(try laptop.baton("restore", laptop.file("nothing"), "--yes"), 1)
            #expect(try !laptop.accountFiles().contains { $0.contains("replaced") || $0.contains("restor") })
            if isRunning { #expect(try laptop.titlesInOrder() == ["one"]) }
            if isRunning { laptop.killNode() }
        }
    }

    @Test func `a backup of another account or machine is refused`() throws {
        let folder = try TemporaryFolder()
        let account = try Account("laptop", "desktop", in: folder)
        let stranger = try Account("stranger", in: folder)
        let file = account[0].file("backup")
        try account[0].must("backup", file)
        let foreign = try stranger[0].baton("restore", file, "--yes")
        expect(foreign, 1)
        #expect(foreign.errors.contains("another account"), "\(foreign)")
        let other = try account[1].baton("restore", file, "--yes")
        expect(other, 1)
        #expect(other.errors.contains("another machine, “laptop”"), "\(other)")
        account[1].killNode()
        expect(try account[1].baton("restore", file, "--yes"), 1)
    }

    @Test func `apps wait while a backup is restored, and then find its items`() throws {
        let account = try Account("laptop")
        let laptop = account[0]
        let known = try KnownDots(laptop)
        #expect(try laptop.stopNode() == 0)
        try known.index(["Annual report"], on: laptop)
        try laptop.startNode()
        try laptop.must("backup", laptop.file("backup"))
        #expect(try laptop.json("search", "annual")["results"].list.count == 1)
        #expect(try laptop.stopNode() == 0)
        try known.index(["Annual report of the next year"], on: laptop)
        try laptop.startNode()
        #expect(try laptop.json("search", "annual")["results"].list.count == 2)
        let asking = try (0..<8).map { _ in try laptop.begin(["baton", "list", "--json"]) }
        try laptop.must("restore", laptop.file("backup"), "--yes")
        for process in asking { #expect(try process.wait() == 0, "\(process.errors)") }
        try eventually("a search that finds what came back") {
            let found = try laptop.json("search", "annual")
            return found["complete"] == .boolean(true) && found["results"].list.count == 1
        }
    }
}
