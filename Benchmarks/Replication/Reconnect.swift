import BatonCore
import BatonStore

extension Benchmark {
    static let reconnect = Benchmark(
        name: "reconnect",
        what: "two nodes of 1,000,000 records and 1,000 lives meet again, in step or after k changes"
    ) { settings in
        let small = try ReconnectCosts(records: 1000, settings)
        let large = try ReconnectCosts(records: settings.pick(1_000_000, quick: 20_000), settings)
        var figures = [
            Figure("reconnect in step", large.inStep.bytes, "bytes", reach: .atMost(2048)),
            Figure("reconnect in step requests", large.inStep.requests, "of stores"),
            Figure("reconnect in step work", large.inStep.steps, "SQLite steps"),
        ]
        for changes in ReconnectCosts.changes {
            guard let many = large.after[changes], let few = small.after[changes] else { continue }
            let name = "reconnect after \(changes)"
            figures += [
                Figure(name, many.bytes, "bytes"),
                Figure("\(name) requests", many.requests, "of stores"),
                Figure("\(name) work", many.steps, "SQLite steps"),
                Figure("\(name) ratio bytes", many.bytes / few.bytes, "× of 1,000", reach: .atMost(1.05)),
                Figure(
                    "\(name) ratio requests", many.requests / few.requests, "× of 1,000", reach: .atMost(1.05)
                ),
                Figure("\(name) ratio work", many.steps / few.steps, "× of 1,000", reach: .atMost(1.05)),
            ]
        }
        return figures
    }
}

/// The costs of reconnecting two nodes, as medians.
private struct ReconnectCosts {
    /// The cost if nothing has changed.
    private(set) var inStep = Cost()
    /// The cost if one of them wrote this many records meanwhile.
    private(set) var after: [Int: Cost] = [:]

    static let changes = [1, 1000]

    /// The bytes that crossed, the requests to both stores, and the steps that SQLite took for them.
    struct Cost {
        var bytes = 0.0
        var requests = 0.0
        var steps = 0.0
    }

    init(records count: Int, _ settings: Settings) throws {
        let replicas = try Replicas(records: count)
        let times = settings.pick(5, quick: 3)
        inStep = try Self.median(times) { try Self.meet(replicas) }
        for changes in Self.changes {
            after[changes] = try Self.median(times) {
                try replicas.change(changes)
                return try Self.meet(replicas)
            }
        }
    }

    private static func meet(_ replicas: Replicas) throws -> Cost {
        let before = replicas.first.steps + replicas.second.steps
        let meeting = Meeting(replicas.first, replicas.second)
        try meeting.play()
        let steps = replicas.first.steps + replicas.second.steps - before
        return Cost(
            bytes: Double(meeting.bytes), requests: Double(meeting.requests), steps: Double(steps))
    }

    private static func median(_ times: Int, _ body: () throws -> Cost) throws -> Cost {
        let costs = try (0..<times).map { _ in try body() }
        return Cost(
            bytes: costs.map(\.bytes).median, requests: costs.map(\.requests).median,
            steps: costs.map(\.steps).median)
    }
}
