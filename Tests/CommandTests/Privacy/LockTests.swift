import Foundation
import Support
import Testing

/// `baton lock` and `baton unlock`, with real processes.
@Suite struct `A locked machine` {
    /// A text that occurs nowhere else, and one that is not protected.
    private static let (marker, control) = ("zanzibar-heron", "quetzal-finch")
    private static let app = "org.example.notes"

    // MARK: Typing

    /// Runs a command that reads lines from its input.
    private func type(_ lines: String..., into words: [String], on machine: Machine) throws -> Answer {
        try machine.baton(words, reading: lines.joined(separator: "\n"))
    }

    /// Sets the first passphrase of a machine.
    private func setPassphrase(_ text: String, on machine: Machine) throws {
        let answer = try type(text, into: ["lock", "--set"], on: machine)
        try #require(answer.status == 0, "\(answer)")
    }

    private func unlock(_ machine: Machine, with text: String) throws {
        let answer = try type(text, into: ["unlock"], on: machine)
        try #require(answer.status == 0, "\(answer)")
    }

    private func addItem(_ identifier: String, on machine: Machine) throws -> Answer {
        try machine.baton(
            "index", "add", Self.app, identifier, "--protected", "--title",
            "Item \(identifier) \(Self.marker)")
    }

    private func titles(_ words: String, on machine: Machine) throws -> [String] {
        try machine.json("search", words)["results"].list.compactMap { $0["title"].string }.sorted()
    }

    /// A machine with a passphrase, a protected item and a protected activity, and others without protection.
    private func machine(in account: Account, passphrase: String = "tiger") throws -> Machine {
        let machine = account[0]
        try machine.must("index", "add", Self.app, "open", "--title", "About a \(Self.control)")
        #expect(try addItem("one", on: machine).status == 0)
        try machine.must(
            "start", "org.example.editing", "--protected", "--title", "Diary \(Self.marker)", "--info",
            "page=\(Self.marker)")
        try setPassphrase(passphrase, on: machine)
        return machine
    }

    // MARK: Locking and unlocking

    @Test func `protected content is neither found nor shown until the passphrase is typed`() throws {
        let laptop = try machine(in: Account("laptop"))
        #expect(try titles("heron", on: laptop) == ["Item one \(Self.marker)"])
        let process = try #require(laptop.nodeNumber)

        #expect(try laptop.must("lock") == "Protected content is locked.\n")
        #expect(try laptop.json("status")["pid"] == .integer(Int64(process)), "the process stays the same")
        #expect(try laptop.json("status")["locked"] == .boolean(true))
        let found = try laptop.json("search", "heron")
        #expect(found["results"] == .list([]) && found["complete"] == .boolean(false))
        #expect(found["locked"] == .boolean(true))
        #expect(
            try laptop.must("search", "heron")
                == "Nothing found.\nProtected items are locked, and were not searched. Type `baton unlock`.\n"
        )
        #expect(try titles("quetzal", on: laptop) == ["About a \(Self.control)"])
        let shown = try #require(try laptop.list().first)
        #expect(shown["title"] == .string("something of org.baton.shell (locked)"))
        #expect(shown["locked"] == .boolean(true) && shown["info"] == .object([:]))
        #expect(try laptop.must("doctor").contains("lock: protected content is locked"))

        let wrong = try type("lion", into: ["unlock"], on: laptop)
        #expect(
            wrong.status == 8 && wrong.errors == "baton: This is not the passphrase. Nothing has changed.\n")
        #expect(try laptop.json("status")["locked"] == .boolean(true))
        #expect(
            try type("tiger", into: ["unlock"], on: laptop).output == "Protected content is unlocked.\n")
        try eventually("the item after unlocking") { try titles("heron", on: laptop).count == 1 }
        #expect(try laptop.list().first?["title"] == .string("Diary \(Self.marker)"))
        #expect(try laptop.json("status")["pid"] == .integer(Int64(process)))
        #expect(try type("x", into: ["unlock"], on: laptop).output == "Nothing is locked.\n")
    }

    @Test func `everything that needs the key is refused with one status, and other things go on`() throws {
        let laptop = try machine(in: Account("laptop"))
        try laptop.must("lock")
        let refused: [[String]] = [
            ["index", "add", Self.app, "two", "--protected", "--title", "Second"],
            ["index", "update", Self.app, "one", "--protected", "--title", "Second"],
            ["index", "delete", Self.app, "one", "--protected"],
            ["index", "clear", Self.app, "--protected", "--domain", "a"],
            ["start", "org.example.editing", "--protected", "--title", "Second", "--instance", "two"],
            ["update", "--title", "Second"],
            ["invite"],
            ["lock", "--set"],
            ["lock", "--remove"],
        ]
        for words in refused {
            let answer = try type("tiger", into: words, on: laptop)
            #expect(answer.status == 23, "\(answer)")
            #expect(answer.errors.hasSuffix("is locked.\nType `baton unlock` first.\n"), "\(answer)")
        }
        let identifier = try #require(try laptop.list().first?["id"].string)
        #expect(try laptop.baton("continue", identifier).status == 23)

        try laptop.must("index", "add", Self.app, "third", "--title", "Third \(Self.control)")
        #expect(try titles("quetzal", on: laptop).count == 2)
        try laptop.must("start", "org.example.reading", "--instance", "other", "--title", "Paper")
        #expect(try laptop.list().count == 2)
        // A protected activity ends without the key, and clears need no key, either.
        try laptop.must("finish", identifier)
        #expect(try laptop.list().count == 1)
        #expect(try laptop.must("lock") == "Protected content is locked.\n")
    }

    @Test func `an item that another machine writes meanwhile arrives sealed, and is found after unlocking`()
        throws
    {
        let account = try Account("laptop", "desktop")
        let laptop = try machine(in: account)
        let desktop = account[1]
        try laptop.must("lock")
        try eventually("the item on the desktop") { try titles("heron", on: desktop).count == 1 }
        #expect(try addItem("two", on: desktop).status == 0)
        try desktop.must("start", "org.example.editing", "--protected", "--title", "Letter \(Self.marker)")
        try eventually("the letter on the laptop") { try laptop.list().count == 2 }
        try laptop.waitUntilInStep()
        #expect(try laptop.must("status", "--digest") == desktop.must("status", "--digest"))
        #expect(try laptop.list().allSatisfy { $0["locked"] == .boolean(true) })
        #expect(try titles("heron", on: laptop) == [])
        try unlock(laptop, with: "tiger")
        try eventually("both items") {
            try titles("heron", on: laptop) == ["Item one \(Self.marker)", "Item two \(Self.marker)"]
        }
    }

    @Test func `a node that starts again, also after a kill, is locked`() throws {
        let laptop = try machine(in: Account("laptop"))
        for ends in [{ laptop.killNode() }, { _ = try laptop.stopNode() }] as [() throws -> Void] {
            try ends()
            try laptop.startNode()
            #expect(try laptop.json("status")["locked"] == .boolean(true))
            #expect(try titles("heron", on: laptop) == [])
            try unlock(laptop, with: "tiger")
            try eventually("the item") { try titles("heron", on: laptop).count == 1 }
        }
    }

    // MARK: The passphrase

    @Test func `another passphrase needs the present one, and the recovery code helps without it`() throws {
        let account = try Account("laptop")
        let laptop = try machine(in: account)
        let wrong = try type("lion", "puma", into: ["lock", "--set"], on: laptop)
        #expect(wrong.status == 8, "\(wrong)")
        #expect(try type("tiger", "puma", into: ["lock", "--set"], on: laptop).status == 0)
        try laptop.must("lock")
        #expect(try type("tiger", into: ["unlock"], on: laptop).status == 8)
        let words = account.recoveryCode
        let other = words.split(separator: " ").reversed().joined(separator: " ")
        #expect(try type(other, into: ["unlock", "--recovery"], on: laptop).status != 0)
        #expect(try laptop.json("status")["locked"] == .boolean(true))
        #expect(try type(words, into: ["unlock", "--recovery"], on: laptop).status == 0)
        try eventually("the item") { try titles("heron", on: laptop).count == 1 }
        let removed = try type("puma", into: ["lock", "--remove"], on: laptop)
        #expect(removed.status == 0, "\(removed)")
        #expect(
            try laptop.baton("lock").errors.hasPrefix(
                "baton: No passphrase is set, so nothing can be locked."))
        #expect(try laptop.json("status")["locked"] == .null)
        #expect(try laptop.must("status").contains("this disk has the key; `baton lock --set` locks it"))
        laptop.killNode()
        try laptop.startNode()
        #expect(try titles("heron", on: laptop).count == 1)
    }

    @Test
    func `no file has the key any more once a passphrase is set, and a kill at any moment loses nothing`()
        throws
    {
        let laptop = try machine(in: Account("laptop"), passphrase: "0")
        let folder = laptop.home + "/accounts/default/identity/"
        #expect(FileManager.default.fileExists(atPath: folder + "content.locked"))
        #expect(!FileManager.default.fileExists(atPath: folder + "content.key"))
        var (random, present) = (SeededGenerator(seed: 53), ["0"])
        for number in 1...8 {
            let next = "\(number)"
            let setting = try laptop.begin(["baton", "lock", "--set"], hasInput: true)
            setting.write(Array("\(present[0])\n\(next)\n".utf8))
            setting.closeInput()
            // A change takes about as long as two guesses at a passphrase.
            usleep(UInt32(random.number(0...1_500_000)))
            laptop.killNode()
            // Only if the command was told that the change was made, it must have been.
            present = try setting.wait() == 0 ? [next] : [present[0], next]
            try laptop.startNode()
            #expect(try laptop.json("status")["locked"] == .boolean(true))
            let right = try present.filter { try type($0, into: ["unlock"], on: laptop).status == 0 }
            try #require(!right.isEmpty, "neither of \(present) is the passphrase")
            present = [right[0]]
            #expect(!FileManager.default.fileExists(atPath: folder + "content.key"))
        }
        try eventually("the item") { try titles("heron", on: laptop).count == 1 }
    }

    // MARK: Memory and sockets

    @Test func `the memory of a locked node has nothing of what it has shown`() throws {
        let laptop = try machine(in: Account("laptop"))
        let process = try #require(laptop.nodeNumber)
        for _ in 0..<20 {
            _ = try titles("heron", on: laptop)
            _ = try laptop.list()
        }
        #expect(try ProcessMemory.contains(Self.marker, process), "the control")
        try laptop.must("lock")
        #expect(try !ProcessMemory.contains(Self.marker, process))
        _ = try titles("quetzal", on: laptop)
        _ = try laptop.list()
        #expect(try !ProcessMemory.contains(Self.marker, process))
        #expect(try ProcessMemory.contains(Self.control, process), "the control")
        #expect(try laptop.files(with: Self.marker) == [])
        #expect(!laptop.log.contains(Self.marker))
    }

    @Test func `no connection is refused while the node replaces its process`() throws {
        let laptop = try machine(in: Account("laptop"))
        for _ in 0..<3 {
            let locking = try laptop.begin(["baton", "lock"])
            while locking.isRunning {
                #expect(throws: Never.self) { try RawConnection(port: laptop.port) }
                #expect(throws: Never.self) { try RawConnection(unix: laptop.home + "/run/node.sock") }
                // The node serves a limited number of connections.
                usleep(5000)
            }
            #expect(try locking.wait() == 0, "\(locking.errors)")
            try unlock(laptop, with: "tiger")
        }
    }

    @Test func `sockets of a service manager are passed on, and stay when the node ends`() throws {
        let laptop = try machine(in: Account("laptop"))
        laptop.killNode()
        let sockets = try HeldSockets(for: laptop)
        try sockets.startNode(on: laptop)
        try eventually("the node; its log: \(laptop.log)") { try laptop.baton("status").status == 0 }
        for _ in 0..<2 {
            try unlock(laptop, with: "tiger")
            try laptop.must("lock")
            #expect(try laptop.json("status")["listening"] == .string("127.0.0.1:\(sockets.port)"))
        }
        #expect(try laptop.stopNode() == 0)
        // The node's successor gets the connection.
        #expect(throws: Never.self) { try RawConnection(unix: laptop.home + "/run/node.sock") }
        #expect(throws: Never.self) { try RawConnection(port: sockets.port) }
    }

    @Test func `a socket of its own is removed when the node ends after it was locked`() throws {
        let laptop = try machine(in: Account("laptop"))
        let path = laptop.home + "/run/node.sock"
        try laptop.must("lock")
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(try laptop.stopNode() == 0)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `an app written for Apple's systems is told that its index is not available`() throws {
        let laptop = try machine(in: Account("laptop"))
        let numbers = IndexedNumbers(machine: laptop)
        try laptop.must("lock")
        #expect(
            try numbers.run("locked") == ["index -1000", "delete -1000", "state -1000", "found", "done"])
        try unlock(laptop, with: "tiger")
        #expect(try numbers.run("protected").last == "done")
    }
}
