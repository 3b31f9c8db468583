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
        let input = try zeros(megabytes, in: folder)
        let rates = try (0..<settings.pick(5, quick: 2)).map { _ in
            let floor = try BareFloor(in: folder)
            let bare = try StreamedApps.rate(input, megabytes, from: floor.near, to: floor.far, in: folder)
            return (bare: bare, ours: try StreamedCommands.rate(input, megabytes, through: nodes, in: folder))
        }
        try nodes.stop()
        return [
            Figure("stream", rates.map(\.ours).median, "MiB/s"),
            Figure("stream, bare", rates.map(\.bare).median, "MiB/s"),
            Figure(
                "stream, ratio", rates.map { $0.ours / $0.bare }.median, "× of bare", reach: .atLeast(0.9)),
        ]
    }

    /// A file without any block on a disk, which the system has in memory: to read it costs both sides the same, and
    /// little.
    private static func zeros(_ megabytes: Int, in folder: TemporaryFolder) throws -> String {
        let path = folder.path + "/zeros"
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        guard truncate(path, megabytes << 20) == 0, let file = FileHandle(forReadingAtPath: path) else {
            throw BenchmarkFailure("no file of zeros")
        }
        while try file.read(upToCount: 1 << 20)?.isEmpty == false {}
        return path
    }
}
