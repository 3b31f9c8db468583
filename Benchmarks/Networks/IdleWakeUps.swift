import Foundation
import Support

extension Benchmark {
    static let idleWakeUps = Benchmark(
        name: "idle-wake-ups",
        what: "how often idle nodes wake with discovery, and without it at the same time"
    ) { settings in
        guard !isSkipped("idle-wake-ups") else { return [] }
        let folder = try TemporaryFolder()
        let pairs = [
            try BridgedNodes(in: folder, discovery: true), try BridgedNodes(in: folder, discovery: false),
        ]
        let homes = pairs.map { [$0.first, $0.second] }
        // The cost of connecting doesn't count as idle, nor that of the report half a minute later, which wakes all threads.
        Thread.sleep(forTimeInterval: settings.pick(45, quick: 5))
        let seconds = settings.pick(600.0, quick: 30)
        let before = try homes.map { try $0.map { try ProcessCost(of: $0.process).sleeps } }
        Thread.sleep(forTimeInterval: seconds)
        let after = try homes.map { try $0.map { try ProcessCost(of: $0.process).sleeps } }
        for pair in pairs { try pair.stop() }
        let wakes = zip(before, after).map { before, after in zip(before, after).map { $1 - $0 }.max() ?? .nan
        }
        return [
            Figure("idle, discovery on, wake-ups", wakes[0], "in \(Int(seconds)) s"),
            Figure("idle, discovery off, wake-ups", wakes[1], "in \(Int(seconds)) s"),
            Figure(
                "idle, more wake-ups by discovery", (wakes[0] - wakes[1]) * 60 / seconds, "a minute",
                reach: .atMost(1)),
        ]
    }
}
