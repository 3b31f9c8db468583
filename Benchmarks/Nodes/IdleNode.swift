import Foundation
import Support

extension Benchmark {
    static let idleNode = Benchmark(
        name: "idle-node", what: "how often two connected nodes wake that nobody wants anything of"
    ) { settings in
        let folder = try TemporaryFolder()
        let nodes = try NodePair(in: folder)
        let homes = [nodes.first, nodes.second]
        // The cost of connecting doesn't count as idle, nor do the report half a minute later, the first comparison, and
        // giving back what these took.
        Thread.sleep(forTimeInterval: settings.pick(90, quick: 12))
        let seconds = settings.pick(600.0, quick: 20)
        let before = try homes.map { try ProcessCost(of: $0.process) }
        Thread.sleep(forTimeInterval: seconds)
        let costs = try zip(homes, before).map { try ProcessCost(of: $0.process) - $1 }
        try nodes.stop()
        let (wakes, processor) = (costs.map(\.sleeps), costs.map(\.processor))
        return [
            Figure(
                "idle node, wake-ups", 10 * (wakes.max() ?? .nan) / seconds, "in ten seconds",
                reach: .atMost(1)),
            Figure("idle node, wake-ups of both", wakes.reduce(0, +), "in \(Int(seconds)) s"),
            Figure("idle node, processor", 1000 * (processor.max() ?? .nan), "ms in \(Int(seconds)) s"),
        ]
    }
}
