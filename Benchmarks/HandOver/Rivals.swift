import Foundation
import Support

extension Benchmark {
    static let rivals = Benchmark(
        name: "rivals",
        what: "the same change of an activity through two nodes, and through two brokers of others"
    ) { settings in
        let folder = try TemporaryFolder()
        let rounds = settings.pick(40, quick: 4)
        let nodes = try NodePair(in: folder)
        var ways = [("nodes", try nodes.apps(try .activities(), rounds: rounds, in: folder))]
        for rival in [Mosquitto.self, LeafNodes.self] as [any Rival.Type] {
            guard let version = try rival.version(in: folder) else {
                print(
                    "!!! \(rival.program) is not on this machine, and is left out: apt-get install \(rival.program)"
                )
                continue
            }
            ways.append((version, try rival.init(in: folder).apps(rounds: rounds, in: folder)))
        }
        let times = try HandOverTimes(ways, rounds: rounds)
        try nodes.stop()
        return [
            Figure("hand-over beside rivals, median", times.median("nodes"), "µs"),
            Figure("hand-over beside rivals, 99th", times.slow("nodes"), "µs"),
        ]
            + ways.dropFirst().flatMap { name, _ in
                [
                    Figure("\(name), median", times.median(name), "µs"),
                    Figure("\(name), 99th", times.slow(name), "µs"),
                    Figure(
                        "hand-over against \(name)", times.median("nodes") / times.median(name),
                        "× its median", reach: .atMost(1)),
                ]
            }
    }
}
