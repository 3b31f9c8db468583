import Foundation
import Support
import Testing

/// `baton copy` and `baton paste`, with real nodes and no desktop.
@Suite struct `Copying on one machine and pasting on another` {
    private let account: Account
    private let folder: CopyFolder

    init() throws {
        account = try Account("laptop", "desktop")
        folder = try CopyFolder()
    }

    private var laptop: Machine { account[0] }
    private var desktop: Machine { account[1] }

    /// A text of that many bytes, which is easy to find.
    private func text(_ size: Int) -> [UInt8] {
        (0..<size).map { (place: Int) -> UInt8 in
            let letter = (place * 7 + place / 26) % 26
            return 97 + UInt8(letter)
        }
    }

    // MARK: Text and images

    @Test func `copied text is pasted unchanged on any machine, and copying does not block the shell`()
        throws
    {
        let said = try laptop.copy(Array("Grüße\n\u{1b}[31m".utf8), in: folder)
        #expect(said == "Copied text, 13 bytes. Paste it within 2 minutes: baton paste\n")
        // A pipe of the shell ends with the command, although the content is held.
        #expect(try laptop.run("echo -n 'from a pipe' | baton copy | cat").contains("text, 11 bytes"))
        try desktop.waitForCopies("text, 11 bytes")
        #expect(try desktop.paste(in: folder) == Array("from a pipe".utf8))
        #expect(try laptop.paste(in: folder) == Array("from a pipe".utf8))
        #expect(try desktop.paste("--from", "laptop", in: folder) == Array("from a pipe".utf8))
        let json = try desktop.json("paste")["clipboard"]
        #expect(json["text"] == .string("from a pipe") && json["size"] == .integer(11))
        #expect(json["content"] == .string("text/plain;charset=utf-8"))
        #expect(json["device"]["name"] == .string("laptop"))
    }

    @Test func `a large image is pasted whole, by several machines at once`() throws {
        let beginning: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        let image = beginning + text(5_000_000).map { (byte: UInt8) -> UInt8 in byte &* 31 }
        try laptop.copy(image, in: folder)
        try desktop.waitForCopies("image (png), 5.0 MB")
        let pastes = try (0..<4).map { number in
            try desktop.begin(["bash", "-c", "baton paste >\(folder.path)/pasted\(number)"])
        }
        for (number, paste) in pastes.enumerated() {
            #expect(try paste.wait() == 0, "\(paste.errors)")
            #expect(folder.read("pasted\(number)") == image)
        }
        // For a program that wants JSON it is a file.
        try FileManager.default.createDirectory(
            atPath: folder.path + "/here", withIntermediateDirectories: false)
        let saved = try JSONValue(desktop.run("baton paste --json", in: folder.path + "/here"))
        #expect(saved["clipboard"]["files"].list.map { $0["saved"] } == [.string("pasted.png")])
        #expect(folder.read("here/pasted.png") == image)
    }

    @Test func `no file on either machine contains the copied content, but only its description`() throws {
        let secret = "xyzzy-\(UInt64.random(in: 0 ... .max))-plugh"
        try laptop.copy(Array(secret.utf8), in: folder)
        try FileManager.default.removeItem(atPath: folder.path + "/copied")
        let size = secret.utf8.count
        try desktop.waitForCopies("text, \(size) bytes")
        #expect(try desktop.run("baton paste") == secret)
        #expect(try laptop.run("baton paste") == secret)
        try laptop.must("backup", folder.path + "/backup")
        func files(with text: String) throws -> [String] {
            // The outputs of the two commands above are files of the test.
            let answer = try laptop.answer(
                "grep -rlaF --exclude-dir='.written-by-*' -e '\(text)' '\(account.folder.path)' '\(folder.path)/backup'"
            )
            return answer.output.split(separator: "\n").map(String.init)
        }
        #expect(try files(with: secret) == [])
        let described = try files(with: "Copied: text, \(size) bytes")
        for machine in account.machines {
            #expect(described.contains { $0.hasPrefix(machine.home + "/") }, "\(described)")
        }
    }

    // MARK: Files

    @Test func `files with hostile names are saved under safe names, and replace no file`() throws {
        let names = ["$(reboot)", "-c", "+!sh", "a\nb", ".bashrc", "`id`;id", "--force", "a b'\"c"]
        for name in names { try folder.write(Array("content of \(name)".utf8), to: "there/\(name)") }
        // Words of a shell that reads them from a file, so that nothing is lost on the way.
        try folder.write(Array(names.map { "./" + $0 }.joined(separator: "\0").utf8), to: "names")
        try laptop.run("xargs -0 baton copy -- <../names", in: folder.path + "/there")
        let size = names.map { "content of \($0)".utf8.count }.reduce(0, +)
        try desktop.waitForCopies("\(names.count) files, \(size) bytes")
        let here = folder.path + "/here"
        try FileManager.default.createDirectory(atPath: here, withIntermediateDirectories: false)
        let said = try desktop.run("baton paste", in: here)
        let safe = ["$(reboot)", "_c", "+!sh", "a_b", "_bashrc", "`id`;id", "_-force", "a b'\"c"]
        #expect(try folder.names(in: "here") == safe.sorted())
        for (name, saved) in zip(names, safe) {
            #expect(folder.read("here/" + saved) == Array("content of \(name)".utf8))
            #expect(said.contains("Saved \(saved), "), "\(said)")
        }
        // Nothing is replaced unless that is wanted.
        try folder.write(Array("mine".utf8), to: "here/_c")
        let refused = try desktop.answer("baton paste", in: here)
        #expect(refused.status == 1 && refused.errors.contains("--force"), "\(refused)")
        #expect(folder.read("here/_c") == Array("mine".utf8))
        try desktop.run("baton paste --force", in: here)
        #expect(folder.read("here/_c") == Array("content of -c".utf8))
        #expect(try folder.names(in: "here") == safe.sorted())
    }

    @Test func `a large file is read while it is pasted, and the process that offers it uses little memory`()
        throws
    {
        let size = 150_000_000
        try laptop.run("head -c \(size) /dev/zero | tr '\\0' z >big", in: folder.path)
        try laptop.run("baton copy big", in: folder.path)
        let holder = try #require(try desktop.waitForCopies("big, 150 MB")[0].holder)
        try FileManager.default.createDirectory(
            atPath: folder.path + "/here", withIntermediateDirectories: false)
        try desktop.run("baton paste && cmp big ../big", in: folder.path + "/here")
        let status = try #require(File.read("/proc/\(holder)/status"))
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        let memory = try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        #expect(memory < 40_000, "\(line)")
        // One file may be written elsewhere.
        try desktop.run("baton paste --output - | cmp - big", in: folder.path)
        try desktop.run("baton paste --output other && cmp other big", in: folder.path)
    }

    @Test func `pasting a deleted file, and copying a folder or a missing file, are reported`() throws {
        let path = try folder.write(text(10), to: "there/a.txt")
        try laptop.must("copy", path)
        try desktop.waitForCopies("a.txt, 10 bytes")
        try FileManager.default.removeItem(atPath: path)
        for machine in account.machines {
            let gone = try machine.baton("paste")
            #expect(gone.status == 11, "\(gone)")
            #expect(gone.errors.contains("“a.txt” can't be read on “laptop” any more"), "\(gone)")
        }
        #expect(try laptop.baton("copy", folder.path + "/there").errors.contains("is a folder"))
        #expect(try laptop.baton("copy", folder.path + "/none").status == 1)
        #expect(try laptop.baton("copy", "/dev/null").errors.contains("is not a file"))
    }

    // MARK: The end

    @Test func `an expired copy ends on all machines, and is not kept as finished`() throws {
        try laptop.copy(text(7), "--expires", "8s", in: folder)
        let holder = try #require(try desktop.waitForCopies("text, 7 bytes")[0].holder)
        #expect(isAlive(holder))
        try desktop.waitForCopies()
        try laptop.waitForCopies()
        try eventually("the end of process \(holder)") { !isAlive(holder) }
        for machine in account.machines {
            let ended = try machine.baton("paste")
            #expect(ended.status == 11 && ended.errors.contains("Nothing was copied"), "\(ended)")
            #expect(try machine.json("list", "--finished")["activities"].list == [])
        }
        #expect(try laptop.baton("copy", "--expires", "3m").status == 2)
    }

    @Test(arguments: [0, 1]) func `a new copy on any machine ends the earlier copy`(place: Int) throws {
        try laptop.copy(text(7), in: folder)
        let holder = try #require(try account[place].waitForCopies("text, 7 bytes")[0].holder)
        try account[place].copy(text(8), in: folder)
        for machine in account.machines { try machine.waitForCopies("text, 8 bytes") }
        try eventually("the end of process \(holder)") { !isAlive(holder) }
        for machine in account.machines { #expect(try machine.paste(in: folder) == text(8)) }
    }

    @Test func `killing the process that holds a copy ends the copy`() throws {
        try laptop.copy(text(7), in: folder)
        let holder = try #require(try desktop.waitForCopies("text, 7 bytes")[0].holder)
        kill(holder, SIGKILL)
        for machine in account.machines {
            try machine.waitForCopies()
            #expect(try machine.baton("paste").status == 11)
        }
    }

    @Test func `a copy can be pasted after the node was killed and restarted`() throws {
        try laptop.copy(text(7), in: folder)
        try desktop.waitForCopies("text, 7 bytes")
        laptop.killNode()
        try laptop.startNode()
        try laptop.waitForCopies("text, 7 bytes")
        try desktop.waitUntilConnected(with: laptop)
        #expect(try eventual("a paste", attempt: { try? desktop.paste(in: folder) }) == text(7))
    }

    @Test func `pasting from a machine that can't be reached names the machine`() throws {
        try laptop.copy(text(7), in: folder)
        try desktop.waitForCopies("text, 7 bytes")
        laptop.killNode()
        try eventually("a broken connection") {
            try desktop.json("status")["peers"].list.allSatisfy { $0["connected"].boolean != true }
        }
        let away = try desktop.baton("paste")
        #expect(away.status == 10 && away.errors.contains("“laptop” is not connected"), "\(away)")
        #expect(try laptop.baton("copy", "/etc/hostname").status == 3)
    }

    // MARK: Choosing

    @Test func `baton paste --from pastes only content that was copied on the named device`() throws {
        try laptop.copy(text(7), in: folder)
        try desktop.waitForCopies("text, 7 bytes")
        let other = try desktop.baton("paste", "--from", "desktop")
        #expect(other.status == 11 && other.errors.contains("Nothing was copied on “desktop”"), "\(other)")
        let unknown = try desktop.baton("paste", "--from", "$(reboot)")
        #expect(unknown.status == 11 && unknown.errors.contains("No device has the name"), "\(unknown)")
        #expect(try laptop.paste("--from", "laptop", in: folder) == text(7))
    }

    @Test func `content copied on a private machine can be pasted only there`() throws {
        try laptop.must("private", "on")
        let said = try laptop.copy(text(7), in: folder)
        #expect(said.contains("This machine is private, so you can paste it only here"))
        #expect(try laptop.paste(in: folder) == text(7))
        try laptop.must("private", "off")
        try desktop.waitForCopies("text, 7 bytes")
        #expect(try desktop.paste(in: folder) == text(7))
        try laptop.must("private", "on")
        try desktop.waitForCopies()
        #expect(try desktop.baton("paste").status == 11)
    }

    @Test func `baton continue finds copied content only by its identifier`()
        throws
    {
        try laptop.must("start", "org.example.edit", "--instance", "w", "--title", "Draft")
        try laptop.copy(text(7), in: folder)
        let copied = try #require(try desktop.waitForCopies("text, 7 bytes")[0]["id"].string)
        try desktop.waitForActivity(titled: "Draft")
        #expect(try desktop.json("continue")["activity"]["title"] == .string("Draft"))
        let pasted = try desktop.baton("continue", copied)
        #expect(pasted.status == 0 && pasted.output == String(decoding: text(7), as: UTF8.self), "\(pasted)")
        #expect(try desktop.must("show", copied).contains("continue: baton paste (built in)"))
    }

    @Test func `input that is empty or too large is not copied`() throws {
        expect(try laptop.answer("baton copy </dev/null"), 2)
        let large = try laptop.answer("head -c 67108865 /dev/zero | baton copy")
        #expect(large.status == 15 && large.errors.contains("64 MiB"), "\(large)")
        #expect(try laptop.copies() == [])
        expect(try laptop.baton("copy", "--clipboard", "/etc/hostname"), 2)
        expect(try laptop.baton("copy", "--clipboard"), 2)
        expect(try laptop.baton("copy", "--hold", "/etc/hostname"), 2)
        expect(try laptop.baton("paste"), 11)
    }

    @Test func `each account has its own copy`() throws {
        try laptop.must("init", "--no-confirm", "--account", "work", "--name", "laptop")
        try laptop.copy(text(7), "--account", "work", in: folder)
        #expect(try laptop.paste("--account", "work", in: folder) == text(7))
        #expect(try laptop.baton("paste", "--account", "default").status == 11)
        #expect(try desktop.baton("paste").status == 11)
    }
}
