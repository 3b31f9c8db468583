import BatonCore
import Foundation
import Support

extension Benchmark {
    static let joinByCode = Benchmark(
        name: "join-by-code",
        what: "from `baton join CODE`, typed on another machine of a network, to its end"
    ) { settings in
        guard !isSkipped("join-by-code") else { return [] }
        let folder = try TemporaryFolder()
        let bridge = try Bridge(machines: 2)
        var times: [Double] = []
        for round in 0..<settings.pick(20, quick: 3) {
            let inviter = try NodeHome(folder.path + "/inviter-\(round)", at: .on(bridge, 1))
            try inviter.start()
            let code = try inviter.ask(OpenInvitation(asksPerson: false)).code
            // A person takes longer to go to the other machine.
            Thread.sleep(forTimeInterval: 2)
            times.append(try join(folder.path + "/joined-\(round)", code, on: bridge))
            try inviter.stop()
        }
        return [
            Figure("join by code, median", times.median, "s", reach: .atMost(1)),
            Figure("join by code, longest", times.max() ?? .nan, "s"),
        ]
    }

    /// Joins an account from the second machine of a bridge; returns how many seconds the command took.
    private static func join(_ path: String, _ code: String, on bridge: Bridge) throws -> Double {
        try makeFolder(path)
        let words = [try NodeHome.program("baton"), "join", code, "--name", "joined", "--home", path]
        let started = ContinuousClock.now
        let command = try ChildProcess(
            bridge.on(2, words), environment: ["HOME": path, "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"],
            files: path + "/.written")
        guard try command.wait() == 0 else { throw BenchmarkFailure("baton join: \(command.errors)") }
        return (ContinuousClock.now - started).seconds
    }
}
