import BatonCore
import BatonSecurity
import Foundation
import Support

extension Benchmark {
    static let handshakes = Benchmark(
        name: "handshakes", what: "mutual handshakes, answered by a node's listener and by OpenSSL alone"
    ) { settings in
        let stage = try TransportStage()
        let count = settings.pick(500, quick: 100)
        var figures: [Figure] = []
        for (name, resumes) in [("full", "0"), ("resumed", "1")] {
            var rates: [TransportProgram.Kind: [Double]] = [:]
            for _ in 0..<settings.pick(5, quick: 2) {
                for kind in [TransportProgram.Kind.bare, .ours] {
                    rates[kind, default: []].append(
                        Double(count) / (try stage.handshakeSeconds(kind, count, resumes)))
                }
            }
            let (ours, bare) = (rates[.ours, default: []].median, rates[.bare, default: []].median)
            figures += [
                Figure("handshakes, \(name)", ours, "/s of processor"),
                Figure("handshakes, \(name), bare", bare, "/s of processor"),
                Figure("handshakes, \(name), ratio", ours / bare, "× of bare", reach: .atLeast(0.7)),
            ]
        }
        return figures
    }

    static let bulk = Benchmark(
        name: "bulk",
        what: "frames over TLS between two event loops, and between two programs of OpenSSL alone"
    ) { settings in
        let stage = try TransportStage()
        let (megabytes, pings) = (settings.pick(1024, quick: 128), settings.pick(20_000, quick: 2000))
        var (rates, trips): ([TransportProgram.Kind: [Double]], [TransportProgram.Kind: [Double]]) = (
            [:], [:]
        )
        for _ in 0..<settings.pick(5, quick: 2) {
            for kind in [TransportProgram.Kind.bare, .ours] {
                let server = try stage.serve(kind)
                let poured = try stage.call(kind, "pour", server, megabytes).number()
                rates[kind, default: []].append(Double(megabytes) / poured)
                let pinged = try stage.call(kind, "ping", server, pings).number()
                trips[kind, default: []].append(1e6 * pinged / Double(pings))
                server.end()
            }
        }
        let (ours, bare) = (rates[.ours, default: []].median, rates[.bare, default: []].median)
        let (trip, bareTrip) = (trips[.ours, default: []].median, trips[.bare, default: []].median)
        return [
            Figure("bulk over TLS", ours, "MiB/s"), Figure("bulk over TLS, bare", bare, "MiB/s"),
            Figure("bulk over TLS, ratio", ours / bare, "× of bare", reach: .atLeast(0.7)),
            Figure("round trip over TLS", trip, "µs"), Figure("round trip over TLS, bare", bareTrip, "µs"),
            Figure("round trip over TLS, ratio", trip / bareTrip, "× of bare", reach: .atMost(1.3)),
        ]
    }

    static let idleConnections = Benchmark(
        name: "idle-connections",
        what: "connections of devices that say nothing, and one among them that does"
    ) { settings in
        let stage = try TransportStage()
        let server = try stage.serve(.ours)
        let count = settings.pick(5000, quick: 500)
        let alone = 1000 * (try stage.call(.bare, "ping", server, 1000).number())
        // The first few connections also pay for things that all connections share.
        let few = try stage.call(.bare, "hold", server, 50)
        _ = try few.number()
        let before = server.memory
        let many = try stage.call(.bare, "hold", server, count)
        _ = try many.number()
        let each = (server.memory - before) / Double(count) / 1024
        var trips: [Double] = []
        for _ in 0..<5 {
            many.poke()
            trips.append(1000 * (try many.number()))
        }
        let client = many.memory / Double(count) / 1024
        for program in [few, many] { program.end() }
        server.end()
        return [
            Figure("idle connection", each, "KiB", reach: .atMost(48)),
            Figure("idle connection, its bare other end", client, "KiB"),
            Figure("round trip among \(count)", trips.median, "µs"),
            Figure("round trip alone", alone, "µs"),
        ]
    }

    static let flood = Benchmark(
        name: "flood",
        what: "handshakes of a device with a node, while others open connections and say nothing"
    ) { settings in
        let folder = try TemporaryFolder()
        let home = try NodeHome(folder.path + "/home")
        try home.start()
        guard let port = try home.ask(GetStatus()).listening.split(separator: ":").last.map(String.init)
        else { throw BenchmarkFailure("the node does not listen") }
        let joined = try NodeHome(folder.path + "/joined", joining: home)
        let stage = try TransportStage(folder, device: joined.identity)
        let time = settings.pick(4000, quick: 1000)
        var (quiet, flooded): ([Double], [Double]) = ([], [])
        for _ in 0..<settings.pick(5, quick: 2) {
            quiet.append(try stage.rush(port, time))
            let flood = try TransportProgram(.bare, ["flood", port, "500"], in: folder)
            flooded.append(try stage.rush(port, time))
            flood.end()
        }
        try home.stop()
        return [
            Figure("handshakes with a node", quiet.median, "/s"),
            Figure("handshakes with a node, flooded", flooded.median, "/s"),
            Figure(
                "handshakes with a node, ratio", flooded.median / quiet.median, "× of quiet",
                reach: .atLeast(0.5)),
        ]
    }
}

/// Two devices of an account, and the programs that act for them.
private struct TransportStage {
    private let folder: TemporaryFolder
    /// Where the identities of the server and of the client are.
    private let server: String
    private let client: String
    /// A file with hints for the server, each of which counts once.
    private let hints: String

    init() throws {
        folder = try TemporaryFolder()
        let now = Int64(Date().timeIntervalSince1970)
        let root = try RootAuthority(recoveryCode: .random(), now: now)
        (server, client) = (folder.path + "/server", folder.path + "/client")
        for (path, name) in [(server, "server"), (client, "client")] {
            try IdentityFolder(path: path).create(Credentials(root: root, deviceName: name, now: now))
        }
        hints = try Self.makeHints(HintKey(root: root.certificate.publicKey), in: folder)
    }

    /// One that calls a node that is there.
    init(_ folder: TemporaryFolder, device: String) throws {
        (self.folder, server, client) = (folder, "", device)
        let root = try IdentityFolder(path: device).load().root
        hints = try Self.makeHints(HintKey(root: root.publicKey), in: folder)
    }

    /// Writes more hints for any device of an account than a client needs, and returns their file.
    private static func makeHints(_ key: HintKey, in folder: TemporaryFolder) throws -> String {
        let now = Int64(Date().timeIntervalSince1970)
        var lines = ""
        for _ in 0..<20_000 { lines += "\(try key.makeHint(for: nil, at: now, tolerating: .days))\n" }
        let path = folder.path + "/hints-\(UInt32.random(in: 0 ... .max))"
        try lines.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// A server, and where it listens.
    final class Server {
        let program: TransportProgram
        let port: String

        init(_ program: TransportProgram) throws {
            self.program = program
            port = "\(Int(try program.number()))"
        }

        var memory: Double { program.memory }

        func end() { program.end() }

        /// How many it served, and the seconds of processor that it took, by now.
        func cost() throws -> (served: Double, seconds: Double) {
            program.poke()
            let numbers = try program.numbers()
            guard numbers.count == 2 else { throw BenchmarkFailure("a server told no cost") }
            return (numbers[0], numbers[1])
        }
    }

    func serve(_ kind: TransportProgram.Kind) throws -> Server {
        try Server(TransportProgram(kind, ["serve", server], in: folder))
    }

    func call(
        _ kind: TransportProgram.Kind, _ verb: String, _ server: Server, _ number: Int, _ more: String...
    ) throws -> TransportProgram {
        try TransportProgram(kind, [verb, client, hints, server.port, "\(number)"] + more, in: folder)
    }

    /// How many seconds of processor a server takes for so many handshakes with the same bare client.
    func handshakeSeconds(_ kind: TransportProgram.Kind, _ count: Int, _ resumes: String) throws -> Double {
        let server = try serve(kind)
        defer { server.end() }
        _ = try call(.bare, "meet", server, 50, resumes).number()
        let before = try settled(server, 50)
        _ = try call(.bare, "meet", server, count, resumes).number()
        return try settled(server, 50 + count) - before
    }

    /// Returns the processor time of a server once this many connections have ended.
    private func settled(_ server: Server, _ count: Int) throws -> Double {
        try eventual("the end of \(count) connections") {
            let (served, seconds) = try server.cost()
            return served >= Double(count) ? seconds : nil
        }
    }

    /// How many handshakes with a node end well in a second.
    func rush(_ port: String, _ milliseconds: Int) throws -> Double {
        let words = ["rush", client, hints, port, "\(milliseconds)"]
        return try TransportProgram(.bare, words, in: folder).number() / (Double(milliseconds) / 1000)
    }
}
