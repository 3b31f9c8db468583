import Foundation
import Support

extension Benchmark {
    static let stream = Benchmark(
        name: "stream",
        what:
            "a stream of bytes from command to command through two nodes, and from app to app through bare relays"
    ) { settings in
        let folder = try TemporaryFolder()
        let megabytes = settings.pick(1024, quick: 64)
        let nodes = try NodePair(in: folder)
        let rates = try (0..<settings.pick(5, quick: 2)).map { _ in
            let floor = try BareFloor(in: folder)
            let bare = try StreamedApps.rate(megabytes, from: floor.near, to: floor.far, in: folder)
            return (bare: bare, ours: try StreamedCommands.rate(megabytes, through: nodes, in: folder))
        }
        try nodes.stop()
        return [
            Figure("stream", rates.map(\.ours).median, "MiB/s"),
            Figure("stream, bare", rates.map(\.bare).median, "MiB/s"),
            Figure(
                "stream, ratio", rates.map { $0.ours / $0.bare }.median, "× of bare", reach: .atLeast(0.7)),
        ]
    }
}
