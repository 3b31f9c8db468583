import Foundation
import Support
import Testing

/// An app is asked to index again what a person, or a damaged disk, asks for.
@Suite struct `Reindexing` {
    @Test func `a running app is asked immediately, and another app when it connects`() throws {
        let account = try Account("laptop")
        let numbers = IndexedNumbers(machine: account[0])
        let app = try numbers.begin("reindex", hasInput: true)
        try eventually("a delegate: \(app.output) \(app.errors)") { app.lines.contains("waiting") }
        try account[0].must("index", "reindex", IndexedNumbers.app, "3", "4")
        try eventually("the items: \(app.output) \(app.errors)") { app.lines.contains("items 3 4") }
        try eventually("two items") { try numbers.found(0..<100) == [3, 4] }
        app.closeInput()
        #expect(try app.wait() == 0)

        account[0].killNode()
        try account[0].startNode()
        try account[0].must("index", "reindex", IndexedNumbers.app)
        let next = try numbers.begin("reindex", hasInput: true)
        try eventually("everything: \(next.output) \(next.errors)") { next.lines.contains("all") }
        try eventually("ten items") { try numbers.found(0..<100) == Array(0..<10) }
        try account[0].must("index", "reindex", IndexedNumbers.app, "20")
        try eventually("the next request: \(next.output)") { next.lines.contains("items 20") }
        // The first request may come before the program has told that it waits.
        #expect(
            next.lines.sorted() == ["all", "items 20", "waiting"], "what was acknowledged does not come again"
        )
        next.closeInput()
        #expect(try next.wait() == 0)
    }

    @Test func `each of twenty indexes gets each of its requests once`() throws {
        let account = try Account("laptop")
        let machine = account[0]
        let numbers = IndexedNumbers(machine: machine)
        let count = 20
        let request = { (place: Int, words: [String]) in
            try machine.must(
                ["index", "reindex", IndexedNumbers.app] + words + ["--index", "many \(place)"])
        }
        for place in 0..<count { _ = try request(place, ["early"]) }
        let app = try numbers.begin("reindex-many", "\(count)", hasInput: true)
        let early = (0..<count).map { "many \($0): early" }
        try eventually("the early requests: \(app.output) \(app.errors)") {
            Set(app.lines.map(String.init)).isSuperset(of: early)
        }
        for place in (0..<count).reversed() { _ = try request(place, place % 2 == 0 ? ["late"] : []) }
        let late = (0..<count).map { "many \($0): \($0 % 2 == 0 ? "late" : "all")" }
        try eventually("the later requests: \(app.output) \(app.errors)") {
            Set(app.lines.map(String.init)).isSuperset(of: late)
        }
        // A node that comes later asks about all of them, too; what is not acknowledged by then comes again.
        try eventually("the end of the later requests") {
            try machine.must("index", "reindex", IndexedNumbers.app, "--pending").contains(
                "no requests to index again")
        }
        machine.killNode()
        try machine.startNode()
        for place in 0..<count { _ = try request(place, ["last"]) }
        let last = (0..<count).map { "many \($0): last" }
        try eventually("the last requests: \(app.output) \(app.errors)") {
            Set(app.lines.map(String.init)).isSuperset(of: last)
        }
        #expect(app.lines.map(String.init).sorted() == (["waiting"] + early + late + last).sorted())
        try eventually("the end of the requests") {
            try machine.must("index", "reindex", IndexedNumbers.app, "--pending").contains(
                "no requests to index again")
        }
        app.closeInput()
        #expect(try app.wait() == 0)
    }

    @Test
    func
        `a request that names no index asks every index for everything, or an item's own index for the item`()
        throws
    {
        let account = try Account("laptop")
        let machine = account[0]
        let numbers = IndexedNumbers(machine: machine)
        for place in 0..<3 {
            try machine.must(
                "index", "add", IndexedNumbers.app, "item \(place)", "--title", "x", "--index",
                "many \(place)")
        }
        let app = try numbers.begin("reindex-many", "2", hasInput: true)
        try eventually("its delegates: \(app.output) \(app.errors)") { app.lines.contains("waiting") }
        try machine.must("index", "reindex", IndexedNumbers.app, "item 1")
        try eventually("the item: \(app.output) \(app.errors)") { app.lines.contains("many 1: item 1") }
        try eventually("the end of the request") {
            try machine.must("index", "reindex", IndexedNumbers.app, "--pending").contains(
                "no requests to index again")
        }
        try machine.must("index", "reindex", IndexedNumbers.app)
        try eventually("everything: \(app.output) \(app.errors)") {
            Set(app.lines.map(String.init)).isSuperset(of: ["many 0: all", "many 1: all"])
        }
        // Nobody listens for the third one yet.
        let later = try numbers.begin("reindex-many", "3", hasInput: true)
        try eventually("the third: \(later.output) \(later.errors)") { later.lines.contains("many 2: all") }
        for program in [app, later] {
            program.closeInput()
            #expect(try program.wait() == 0)
        }
    }

    /// Declares the app on its machine, with a program that indexes again.
    private func declare(_ machine: Machine) throws {
        // No service manager starts it, so that it has the variables of this machine.
        let bin = machine.home + ".bin"
        try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
        try File.writeProgram("#!/bin/sh\nexit 1\n", to: bin + "/systemd-run")
        machine.variables["PATH"] = "\(bin):\(Products.folder):/usr/bin:/bin"
        machine.variables["XDG_STATE_HOME"] = machine.home + ".state"
        let folder = machine.home + "/apps"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try File.write(
            "{ reindex: ['\(Products.folder)/IndexingApp', 'extension'] }",
            to: "\(folder)/\(IndexedNumbers.app).json")
    }

    @Test func `the program of a manifest is started to reindex, and ends afterwards`() throws {
        let account = try Account("laptop")
        let numbers = IndexedNumbers(machine: account[0])
        #expect(
            try account[0].must("index", "reindex", IndexedNumbers.app, "7").contains("runs the next time"))
        #expect(
            try account[0].must("doctor", "--app", IndexedNumbers.app).contains("waits for this request"))
        try declare(account[0])
        #expect(
            try account[0].must("index", "reindex", IndexedNumbers.app, "--pending").contains("was started"))
        try eventually("the item of the earlier request") { try numbers.found(0..<100) == [7] }
        try eventually("the acknowledgement") {
            try account[0].must("index", "reindex", IndexedNumbers.app, "--pending").contains(
                "no requests to index again")
        }
        // The program that ends now may still be connected at first.
        try eventually("another start") {
            try account[0].must("index", "reindex", IndexedNumbers.app, "3", "4").contains("was started")
        }
        try eventually("three items") { try numbers.found(0..<100) == [3, 4, 7] }
    }

    @Test func `a damaged index is refilled by the program of a manifest`() throws {
        let account = try Account("laptop")
        let machine = account[0]
        let numbers = IndexedNumbers(machine: machine)
        _ = try numbers.run("add", "0", "10")
        #expect(try machine.stopNode() == 0)
        // The header of a database without a journal: nothing of it can be read.
        let files = FileManager.default.enumerator(atPath: machine.home)
        var paths: [String] = []
        while let path = files?.nextObject() as? String {
            if path.hasSuffix("/index.sqlite") { paths.append("\(machine.home)/\(path)") }
        }
        let path = try #require(paths.first)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.write(contentsOf: Data(repeating: 7, count: 16_384))
        try file.close()
        try machine.startNode()
        try eventually("the request of the rescue") {
            try machine.must("doctor", "--app", IndexedNumbers.app).contains("everything should be indexed")
        }
        try declare(machine)
        #expect(
            try machine.must("index", "reindex", IndexedNumbers.app, "--pending").contains("was started"))
        // The program fills each of its two indexes, as no index of the app is known to be whole.
        try eventually("all items: \(machine.log)") { try numbers.found(0..<100).count == 20 }
        #expect(try Set(numbers.found(0..<100)) == Set(0..<10))
    }
}
