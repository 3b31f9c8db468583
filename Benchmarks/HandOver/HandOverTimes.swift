/// How long changes took by several ways, a round of the one beside a round of the others.
struct HandOverTimes {
    private(set) var microseconds: [String: [Double]] = [:]

    /// Measures so many rounds, or as long as something goes on.
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

    /// What one in a hundred takes longer than.
    func slow(_ name: String) -> Double { microseconds[name, default: []].percentile(99) }
}

extension HandOverTimes {
    /// What it took through nodes and through bare relays, and how the two compare.
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
