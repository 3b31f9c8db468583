import BatonClient
import BatonCore
import Foundation
import Support
import Testing

extension Machine {
    /// The path of a file of the test, for this machine.
    func file(_ name: String) -> String { "\(home).\(name)" }

    /// The titles of all activities, in order.
    func titlesInOrder() throws -> [String] { try list().compactMap { $0["title"].string }.sorted() }

    /// The files in the account's folder, in order.
    func accountFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: home + "/accounts/default").sorted()
    }
}

extension Machine {
    /// The duration of a closure in microseconds.
    func time(_ body: () throws -> Void) rethrows -> Int {
        let time = try ContinuousClock().measure { try body() }
        return Int(time / .microseconds(1))
    }
}

extension SeededGenerator {
    /// A random moment of something that takes this many microseconds, or shortly after it.
    mutating func moment(of time: Int) -> UInt32 { UInt32(number(0...time * 3 / 2)) }
}

/// `baton backup` with a running node.
@Suite struct `Making a backup` {
    @Test func `a backup says what it contains, and how to restore it`() throws {
        let account = try Account("laptop")
        let laptop = account[0]
        try laptop.must("start", "x", "--instance", "a", "--title", "one")
        let file = laptop.file("backup")
        let text = try laptop.must("backup", file)
        #expect(text.contains("0 items and 1 activity of “laptop” are in \(file)"), "\(text)")
        #expect(text.contains("It contains no keys") && text.contains("`baton restore \(file)`"), "\(text)")
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        expect(try laptop.baton("backup", file), 1)
        let told = try laptop.json("backup", file, "--force")
        #expect(told["bytes"].integer == (attributes[.size] as? NSNumber)?.int64Value)
        #expect(told["activities"].integer == 1 && told["device"]["name"].string == "laptop")
        #expect(try laptop.must("backup", "--help").contains("It contains no keys"))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can write into the files of others"))
    func `a backup does not write into another user's file`() throws {
        let account = try Account("laptop")
        let file = account[0].file("backup")
        let part = file + ".baton-part"
        for contents in ["", "BATON"] {
            try File.write(contents, to: part)
            try #require(chown(part, 65_534, 65_534) == 0)
            let answer = try account[0].baton("backup", file)
            expect(answer, 1)
            #expect(answer.errors.contains("belongs to another user"), "\(answer)")
            #expect(File.read(part) == contents)
            #expect(!FileManager.default.fileExists(atPath: file))
            unlink(part)
        }
    }

    @Test func `a relative backup path is resolved in the shell's folder, and quoted`() throws {
        let account = try Account("laptop")
        let laptop = account[0]
        let folder = laptop.file("a folder")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let answer = try laptop.type(["sh", "-c", "cd \"$1\" && baton backup mine", "sh", folder])
        #expect(answer.status == 0, "\(answer)")
        #expect(FileManager.default.fileExists(atPath: folder + "/mine"))
        #expect(answer.output.contains("`baton restore '\(folder)/mine'`"), "\(answer)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["mine"])
    }

    @Test func `a backup that can't be written fails with a message`() throws {
        let account = try Account("laptop")
        let laptop = account[0]
        let folder = laptop.home + "/accounts/default"
        for place in [
            "/proc/backup", laptop.home + "/nowhere/backup", laptop.home, "/dev/null",
            folder + "/index.sqlite", folder + "/identity/../index.sqlite-wal",
        ] {
            let answer = try laptop.baton("backup", place, "--force")
            expect(answer, 1)
            #expect(answer.errors.contains("nothing has changed"), "\(answer)")
        }
        expect(try laptop.baton("backup", ""), 2)
        #expect(try laptop.stopNode() == 0)
        expect(try laptop.baton("backup", laptop.file("backup")), 3, advice: "baton node")
    }

    @Test func `a backup delays no writer, and contains everything acknowledged before the backup began`()
        throws
    {
        let account = try Account("laptop", "desktop")
        let (laptop, seed) = (account[0], Seeds.replayed ?? 5)
        try laptop.must("start", "x", "--instance", "calm", "--title", "calm")
        let home = try Home(option: laptop.home) { _ in nil }
        let apps = (0..<3).map { BusyApp($0, home, seed: seed) }
        for app in apps { app.begin() }
        for number in 0..<8 {
            let before = apps.map(\.count)
            try laptop.must("backup", laptop.file("\(number)"))
            try eventually("all to write on; \(apps.map(\.end))") {
                zip(apps, before).allSatisfy { $0.count > $1 } && apps.allSatisfy(\.isWriting)
            }
        }
        laptop.killNode()
        try eventually("the end of all connections") { !apps.contains { $0.isWriting } }
        try laptop.startNode()
        var connection = try NodeConnection(home)
        let listed = try connection.activities()
        for app in apps { try app.check(listed, "BATON_SEED=\(seed)") }
        for number in 0..<8 {
            try laptop.must("restore", laptop.file("\(number)"), "--yes")
            // Data that only this machine has comes from the backup; the desktop may bring the rest at any moment.
            #expect(try laptop.titlesInOrder().contains("calm"))
        }
        for machine in account.machines { try machine.waitUntilInStep() }
        #expect(try account[0].titlesInOrder() == account[1].titlesInOrder())
    }

    /// The inode of a file under any of its names, or nil if there is none.
    private func number(ofFile path: String) -> UInt64? {
        var status = stat()
        return lstat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    @Test func `a killed backup leaves no file, and the next backup is complete`() throws {
        let seed = Seeds.replayed ?? UInt64.random(in: 1...UInt64(UInt32.max))
        var generator = SeededGenerator(seed: seed)
        let account = try Account("laptop")
        let laptop = account[0]
        let known = try KnownDots(laptop)
        #expect(try laptop.stopNode() == 0)
        try known.index((0..<300).map { "\($0) " + String(repeating: "word ", count: 200) }, on: laptop)
        try laptop.startNode()
        let time = try laptop.time { _ = try laptop.must("backup", laptop.file("undisturbed")) }
        var (whole, none) = (0, 0)
        for kill in 0..<20 {
            let file = laptop.file("\(kill)")
            let process = try laptop.begin(["baton", "backup", file])
            usleep(generator.moment(of: time))
            laptop.killNode()
            _ = try process.wait()
            try laptop.startNode()
            if FileManager.default.fileExists(atPath: file) {
                whole += 1
                try laptop.must("restore", file, "--yes")
                // A kill just after the rename may leave the temporary name as well; the next backup removes it.
                if let other = number(ofFile: file + ".baton-part") { #expect(other == number(ofFile: file)) }
                try laptop.must("backup", file, "--force")
            } else {
                none += 1
                try laptop.must("backup", file)
            }
            #expect(!FileManager.default.fileExists(atPath: file + ".baton-part"))
            #expect(try laptop.json("search", "299")["results"].list.count <= 1, "BATON_SEED=\(seed)")
        }
        print("Killing backups: \(none) left nothing, \(whole) were whole; BATON_SEED=\(seed)")
    }
}
