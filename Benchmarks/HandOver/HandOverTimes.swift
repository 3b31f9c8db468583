/// The times that changes took by several ways; a round of each way runs next to a round of the others.
struct HandOverTimes {
    private(set) var microseconds: [String: [Double]] = [:]

    /// Measures this many rounds, or fewer if the condition ends first.
    init(
        _ ways: [(name: String, apps: AppPair)], rounds: Int, while goesOn: () throws -> Bool = { true }
    ) throws {
        for _ in 0..<rounds {
            var times: [String: [Double]] = [:]
            for way in ways { times[way.name] = try way.apps.round() }
            guard try goesOn() else { break }
            microseconds.merge(times) { $0 + $1 }
        }
    }

    func median(_ name: String) -> Double { microseconds[name, default: []].median }

    /// Returns the 99th percentile of a way.
    func slow(_ name: String) -> Double { microseconds[name, default: []].percentile(99) }
}

extension HandOverTimes {
    /// Returns the times through nodes and through bare relays, and their ratios.
    func figures(_ name: String, median reach: Figure.Reach?, slow slowReach: Figure.Reach?) -> [Figure] {
        [
            Figure("\(name), median", median("nodes"), "µs"),
            Figure("\(name), bare, median", median("bare"), "µs"),
            Figure("\(name), median ratio", median("nodes") / median("bare"), "× of bare", reach: reach),
            Figure("\(name), 99th", slow("nodes"), "µs"),
            Figure("\(name), bare, 99th", slow("bare"), "µs"),
            Figure("\(name), 99th ratio", slow("nodes") / slow("bare"), "× of bare", reach: slowReach),
        ]
    }
}
