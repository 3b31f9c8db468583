import Foundation
import Support
import Testing

/// `baton start --stream` and `baton continue --stream`, through two nodes.
@Suite struct `Streams between two commands` {
    @Test func `a folder is copied by a stream between two tar commands`() throws {
        let (account, streams) = try (Account("laptop", "desktop"), StreamFolder())
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .path
        let offered = try account[0].shell(
            "tar c -C '\(sources)' . | baton start org.example.tar --stream --title tests")
        try account[1].waitForActivity(titled: "tests")
        let unpacked = try account[1].shell(
            "mkdir \(streams.path)/x; baton continue org.example.tar --stream | tar x -C \(streams.path)/x")
        #expect(try unpacked.wait() == 0, "\(unpacked.errors)")
        #expect(try offered.wait() == 0, "\(offered.errors)")
        let compared = try account[1].shell("diff -r '\(sources)' \(streams.path)/x")
        #expect(try compared.wait() == 0, "\(compared.output)")
        try account[1].waitForEnd(ofActivityTitled: "tests")
    }

    @Test func `the two directions of a stream are independent`() throws {
        let (account, streams) = try (Account("laptop", "desktop"), StreamFolder())
        try streams.fill("a", bytes: 3_000_001)
        try streams.fill("b", bytes: 17)
        let offered = try account[0].offer("duplex", from: "a", to: "a.out", in: streams)
        let continued = try account[1].take("duplex", from: "b", to: "b.out", in: streams)
        #expect(try continued.wait() == 0, "\(continued.errors)")
        #expect(try offered.wait() == 0, "\(offered.errors)")
        #expect(try streams.contents("b.out") == streams.contents("a"))
        #expect(try streams.contents("a.out") == streams.contents("b"))
    }

    @Test func `many streams can run simultaneously`() throws {
        let (account, streams) = try (Account("laptop", "desktop"), StreamFolder())
        let names = (0..<32).map { "stream\($0)" }
        for (place, name) in names.enumerated() {
            try streams.fill(name, bytes: (place * 7919 * 17) % 300_000)
            try streams.fill(name + "-back", bytes: (place * 104_729) % 50_000)
        }
        let offered = try names.map { try account[0].offer($0, from: $0, to: $0 + ".back", in: streams) }
        let taken = try names.map {
            try account[1].take($0, from: $0 + "-back", to: $0 + ".out", in: streams)
        }
        for (place, name) in names.enumerated() {
            #expect(try taken[place].wait() == 0, "\(taken[place].errors)")
            #expect(try offered[place].wait() == 0, "\(offered[place].errors)")
            #expect(try streams.contents(name + ".out") == streams.contents(name))
            #expect(try streams.contents(name + ".back") == streams.contents(name + "-back"))
        }
    }

    // MARK: Breaking

    @Test(arguments: [0, 1])
    func `killing a node breaks the stream on both sides`(victim: Int) throws {
        let (account, streams) = try (Account("laptop", "desktop"), StreamFolder())
        let (offered, continued) = try streams.pour(through: account)
        account[victim].killNode()
        #expect(try offered.wait() == 20, "\(offered.errors)")
        #expect(try continued.wait() == 20, "\(continued.errors)")
        #expect(continued.errors.contains("The data is incomplete"))
    }

    @Test(arguments: [0, 1])
    func `killing a command breaks the stream on the other side`(victim: Int) throws {
        let (account, streams) = try (Account("laptop", "desktop"), StreamFolder())
        let (offered, continued) = try streams.pour(through: account)
        let (killed, other) = victim == 0 ? (offered, continued) : (continued, offered)
        killed.signal(SIGKILL)
        #expect(try other.wait() == 20, "\(other.errors)")
        #expect(other.errors.contains("The program at the other end ended"))
    }

    @Test func `cutting the connection breaks the stream on both sides`() throws {
        let (folder, streams) = (try TemporaryFolder(), try StreamFolder())
        let (laptop, desktop) = (Machine("laptop", in: folder), Machine("desktop", in: folder))
        try laptop.must("init", "--no-confirm", "--name", "laptop")
        try laptop.startNode()
        let cable = try Cable(to: laptop.port)
        let place = "\(Cable.address):\(laptop.port)"
        try desktop.must("join", try laptop.invite(), "--at", place, "--name", "desktop")
        // The laptop does not look for it at this address, so all traffic goes through the cable.
        desktop.address = "127.0.0.3:0"
        try desktop.startNode()
        try desktop.waitUntilConnected(with: laptop)
        try streams.fill("a", bytes: 30_000_000)
        let offered = try laptop.offer("file", from: "a", to: "none", in: streams)
        cable.cut(after: 10_000_000)
        let continued = try desktop.take("file", from: "none", to: "heard", in: streams)
        #expect(try offered.wait() == 20, "\(offered.errors)")
        #expect(try continued.wait() == 20, "\(continued.errors)")
        for process in [offered, continued] {
            #expect(process.errors.contains("The connection to the other machine broke"))
        }
        let heard = try streams.contents("heard")
        #expect(heard.count < 30_000_000)
        #expect(try heard == streams.contents("a").prefix(heard.count))
    }

    @Test func `closing the output of a command breaks the stream on both sides`() throws {
        let (account, _) = try (Account("laptop", "desktop"), StreamFolder())
        let offered = try account[0].shell(
            "exec baton start org.example.zeros --stream --title zeros </dev/zero")
        try account[1].waitForActivity(titled: "zeros")
        let continued = try account[1].shell(
            "baton continue org.example.zeros --stream </dev/null | head -c 100000")
        #expect(try continued.wait() == 20, "\(continued.errors)")
        #expect(continued.errors.contains("The program that reads the output ended"))
        #expect(try offered.wait() == 20, "\(offered.errors)")
        #expect(offered.errors.contains("could not read or write any more"))
    }

    @Test func `a slow reader slows the writer, and costs the nodes little memory`() throws {
        let (account, streams) = try (Account("laptop", "desktop"), StreamFolder())
        let all = 24_000_000
        let offered = try account[0].shell(
            "head -c \(all) /dev/zero | tee \(streams.path)/said | baton start org.example.zeros --stream --title zeros"
        )
        try account[1].waitForActivity(titled: "zeros")
        let memory = try account.machines.map { try $0.nodeMemory() }
        let continued = try account[1].shell(
            "exec baton continue org.example.zeros --stream </dev/null >\(streams.path)/heard")
        try eventually("bytes") { streams.size("heard") > 0 }
        continued.signal(SIGSTOP)
        // Nothing is added for as long as this many looks take.
        var (last, same) = (-1, 0)
        try eventually("a writer that is held back") {
            let said = streams.size("said")
            (same, last) = (said == last ? same + 1 : 0, said)
            return same == 50
        }
        #expect(last < all)
        for (machine, before) in zip(account.machines, memory) {
            #expect(try machine.nodeMemory() < before + 12_000)
        }
        continued.signal(SIGCONT)
        #expect(try continued.wait() == 0, "\(continued.errors)")
        #expect(try offered.wait() == 0, "\(offered.errors)")
        #expect(streams.size("heard") == all)
    }

    @Test func `activities are not delayed by a stream at full speed`() throws {
        let (account, streams) = try (Account("laptop", "desktop"), StreamFolder())
        let (offered, continued) = try streams.pour(through: account)
        for number in 0..<5 {
            try account[0].must("start", "org.example.edit", "--instance", "w", "--title", "draft \(number)")
            let began = ContinuousClock.now
            try account[1].waitForActivity(titled: "draft \(number)")
            // Most of the time is that of the questions.
            #expect(ContinuousClock.now - began < .seconds(1.5))
        }
        #expect(offered.isRunning && continued.isRunning)
    }

    // MARK: Refusals

    @Test func `a stream needs an activity that offers streams, on another connected machine`() throws {
        let account = try Account("laptop", "desktop")
        try account[0].must("start", "org.example.edit", "--instance", "w", "--title", "draft")
        try account[1].waitForActivity(titled: "draft")
        let plain = try account[1].baton("continue", "org.example.edit", "--stream")
        #expect(plain.status == 1 && plain.errors.contains("offers no streams"))
        let unknown = try account[1].baton("continue", "org.example.other", "--stream")
        #expect(unknown.status == 11)
        let offered = try account[0].shell("exec baton start org.example.tar --stream --title tar")
        try account[0].waitForActivity(titled: "tar")
        let here = try account[0].baton("continue", "org.example.tar", "--stream")
        #expect(here.status == 2 && here.errors.contains("on this machine"))
        try account[1].waitForActivity(titled: "tar")
        account[0].killNode()
        try eventually("a broken connection") {
            try account[1].json("status")["peers"].list.allSatisfy { $0["connected"].boolean != true }
        }
        let gone = try account[1].baton("continue", "org.example.tar", "--stream")
        #expect(gone.status == 10, "\(gone)")
        // The command waits for a node that stops.
        try eventually("word that the node is gone") {
            offered.errors.contains("Waiting until it is started again.")
        }
        #expect(offered.isRunning)
    }

    @Test func `an activity of a private machine offers no stream`() throws {
        let account = try Account("laptop", "desktop")
        let offered = try account[0].shell("exec baton start org.example.tar --stream --title tar")
        let identifier = try #require(try account[1].waitForActivity(titled: "tar")["id"].string)
        try account[0].must("private", "on")
        try account[1].waitForEnd(ofActivityTitled: "tar")
        let hidden = try account[1].baton("continue", identifier, "--stream")
        #expect(hidden.status == 11, "\(hidden)")
        try account[0].must("private", "off")
        try account[1].waitForActivity(titled: "tar")
        #expect(offered.isRunning)
    }

    @Test func `a command's stream can be continued by only one machine`() throws {
        let (account, streams) = try (Account("laptop", "desktop"), StreamFolder())
        let (offered, continued) = try streams.pour(through: account)
        let second = try account[1].baton("continue", "org.example.zeros", "--stream")
        #expect(second.status == 1 && second.errors.contains("offers no streams"), "\(second)")
        #expect(offered.isRunning && continued.isRunning)
    }
}

/// The folder with the files of a test.
final class StreamFolder {
    private let folder: TemporaryFolder
    var path: String { folder.path }

    init() throws { folder = try TemporaryFolder() }

    /// Writes a file of bytes that differ from those of any other file.
    func fill(_ name: String, bytes: Int) throws {
        var generator = SeededGenerator(
            seed: UInt64(name.utf8.reduce(7) { $0 &* 31 &+ Int($1) } & 0xffff_ffff))
        try Data(generator.bytes(bytes...bytes)).write(to: URL(fileURLWithPath: path + "/" + name))
    }

    func contents(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path + "/" + name))
    }

    func size(_ name: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path + "/" + name)[.size] as? Int) ?? 0
    }

    /// An endless stream from the first machine to the second.
    func pour(through account: Account) throws -> (offered: ChildProcess, continued: ChildProcess) {
        let offered = try account[0].shell(
            "exec baton start org.example.zeros --stream --title zeros </dev/zero")
        try account[1].waitForActivity(titled: "zeros")
        let continued = try account[1].shell(
            "exec baton continue org.example.zeros --stream </dev/null >/dev/null")
        try eventually("a stream; \(offered.errors)") {
            offered.errors.contains("is connected") && continued.errors.contains("Connected to ")
        }
        return (offered, continued)
    }
}

extension Machine {
    /// Runs a line in a shell that fails if any command of it does.
    func shell(_ line: String) throws -> ChildProcess {
        try begin(["bash", "-c", "set -o pipefail; " + line])
    }

    /// Offers a stream from one file to another.
    func offer(_ name: String, from: String, to: String, in folder: StreamFolder) throws -> ChildProcess {
        try shell(
            "exec baton start org.example.\(name) --stream --title \(name) <\(folder.path)/\(from) >\(folder.path)/\(to)"
        )
    }

    func take(_ name: String, from: String, to: String, in folder: StreamFolder) throws -> ChildProcess {
        try waitForActivity(titled: name)
        return try shell(
            "exec baton continue org.example.\(name) --stream <\(folder.path)/\(from) >\(folder.path)/\(to)")
    }

    /// The memory of the node, in KiB.
    func nodeMemory() throws -> Int {
        let number = try #require(nodeNumber)
        let status = try String(contentsOfFile: "/proc/\(number)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    }
}
