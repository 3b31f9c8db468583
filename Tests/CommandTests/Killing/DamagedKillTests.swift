import Foundation
import Support
import Testing

/// Nodes that are killed, and find a changed byte in their files when they start again.
@Suite struct `Nodes with damaged files` {
    /// The path of a file in a machine's home.
    private func file(_ name: String, of machine: Machine) throws -> String {
        let files = FileManager.default.enumerator(atPath: machine.home)
        while let path = files?.nextObject() as? String {
            if path.hasSuffix("/" + name) { return "\(machine.home)/\(path)" }
        }
        throw DeadlinePassed(description: "there is no \(name)")
    }

    private func flip(_ path: String, at offset: Int) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        defer { try? file.close() }
        try file.seek(toOffset: UInt64(offset))
        let byte = try #require(try file.read(upToCount: 1)?.first)
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data([byte ^ 4]))
    }

    @Test func `status reports lost changes, and other machines send them back`() throws {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        for number in 0..<5 {
            try laptop.must("start", "x", "--instance", "\(number)", "--title", "t\(number)")
        }
        for machine in account.machines { try machine.waitUntilInStep() }
        laptop.killNode()
        // This damages the first change in SQLite's journal, and so all that follow.
        try flip(try file("activities.sqlite-wal", of: laptop), at: 32 + 24 + 1000)
        try laptop.startNode()
        #expect(try laptop.must("status").contains("lost its last changes"))
        for machine in account.machines { try machine.waitUntilInStep() }
        for machine in account.machines {
            #expect(
                Set(try machine.titles().values).isSuperset(of: (0..<5).map { "t\($0)" }), "\(laptop.log)")
        }
        #expect(try !desktop.must("status").contains("lost its last changes"))
    }

    @Test func `a node with swapped journals repairs its databases, and can be stopped during the repair`()
        throws
    {
        let account = try Account("laptop", "desktop")
        for (number, machine) in account.machines.enumerated() {
            try machine.must("start", "x", "--instance", "\(number)", "--title", "first \(number)")
        }
        for machine in account.machines { try machine.waitUntilInStep() }
        // The changes so far are in the databases, and those that follow in the journals.
        for machine in account.machines { #expect(try machine.stopNode() == 0) }
        for machine in account.machines { try machine.startNode() }
        for (number, machine) in account.machines.enumerated() {
            try machine.must("start", "x", "--instance", "late \(number)", "--title", "late \(number)")
        }
        for machine in account.machines { try machine.waitUntilInStep() }
        for machine in account.machines { machine.killNode() }
        for name in ["activities.sqlite-wal", "index.sqlite-wal"] {
            let paths = try account.machines.map { try file(name, of: $0) }
            let contents = try paths.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
            for place in 0...1 { try contents[1 - place].write(to: URL(fileURLWithPath: paths[place])) }
        }
        let laptop = account[0]
        try laptop.startNode()
        let status = try laptop.must("status")
        #expect(status.contains("belongs to another database, and both were moved to"), "\(status)")
        #expect(laptop.log.contains("what can be read is being rescued"), "\(laptop.log)")
        #expect(try laptop.titles().values.contains("first 0"), "\(laptop.log)")
        #expect(try laptop.stopNode() == 0)
        for machine in account.machines { try machine.startNode() }
        for machine in account.machines { try machine.waitUntilInStep() }
    }

    @Test func `a long repair can be stopped immediately, and the next start completes the repair`() throws {
        let account = try Account("laptop")
        let laptop = account[0]
        let count = 40_000
        let batch = try laptop.begin(["baton", "index", "batch", "org.example.notes"], hasInput: true)
        for number in 0..<count {
            batch.write(Array(#"{"item":"\#(number)","title":"word \#(number)"}"#.utf8) + [0x0a])
        }
        batch.write(Array((#"{"state":null}"# + "\n").utf8))
        batch.closeInput()
        try #require(try batch.wait() == 0, "\(batch.errors)")
        try eventually("all of it in the index") {
            try laptop.json("search", "\(count - 1)")["results"].list.count == 1
        }
        #expect(try laptop.stopNode() == 0)
        // The second page is read first and says whose database it is.
        try flip(try file("index.sqlite", of: laptop), at: 4096 + 2000)

        let before = laptop.log.count
        try laptop.startNode(by: [Products.baton, "node", "--listen", laptop.address])
        try eventually("a rescue: \(laptop.log)") { laptop.log.contains("what can be read is being rescued") }
        let told = Date()
        #expect(try laptop.stopNode() == 0)
        let took = Date().timeIntervalSince(told)
        #expect(took < 5, "\(took) s")
        let log = laptop.log.dropFirst(before)
        #expect(!log.contains("moved to"), "the rescue was over before it was told to stop: \(log)")
        #expect(log.contains("stopped in "), "\(log)")

        try laptop.startNode()
        try eventually("a rescued index: \(laptop.log)") {
            try laptop.must("status").contains("moved to")
        }
        try eventually("all that was in it: \(laptop.log)") {
            try laptop.json("search", "\(count - 1)")["results"].list.count == 1
        }
        let status = try laptop.must("status")
        #expect(status.contains("\(count) changes were rescued"), "\(status)")
        #expect(try laptop.stopNode() == 0)
    }

    @Test func `swapped databases are refused, with advice`() throws {
        let account = try Account("laptop")
        let laptop = account[0]
        #expect(try laptop.stopNode() == 0)
        let paths = try ["activities.sqlite", "index.sqlite"].map { try file($0, of: laptop) }
        let exchange = {
            try FileManager.default.moveItem(atPath: paths[0], toPath: paths[0] + ".moved")
            try FileManager.default.moveItem(atPath: paths[1], toPath: paths[0])
            try FileManager.default.moveItem(atPath: paths[0] + ".moved", toPath: paths[1])
        }
        try exchange()
        let answer = try laptop.baton("node", "--listen", laptop.address)
        #expect(answer.status == 13)
        #expect(answer.errors.contains("give each the other's name"), "\(answer)")
        try exchange()
        try laptop.startNode()
        #expect(try !laptop.must("status").contains("moved to"))
    }

    @Test func `a damaged database is quarantined, and its data comes back from other machines`() throws {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        for number in 0..<5 {
            try laptop.must("start", "x", "--instance", "\(number)", "--title", "t\(number)")
        }
        try desktop.must("start", "x", "--instance", "a", "--title", "of the desktop")
        for machine in account.machines { try machine.waitUntilInStep() }
        #expect(try laptop.stopNode() == 0)
        // Without the first page nothing at all can be read.
        try flip(try file("activities.sqlite", of: laptop), at: 2000)
        try laptop.startNode()
        let status = try laptop.must("status")
        #expect(status.contains("moved to") && status.contains("smartctl"), "\(status)")
        for machine in account.machines { try machine.waitUntilInStep() }
        for machine in account.machines {
            let titles = Set(try machine.titles().values)
            #expect(titles.isSuperset(of: ["of the desktop"] + (0..<5).map { "t\($0)" }), "\(laptop.log)")
        }
        #expect(FileManager.default.fileExists(atPath: try file("activities.sqlite", of: laptop)))
    }
}
