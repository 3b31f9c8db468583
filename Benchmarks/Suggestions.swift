import BatonCore
import Foundation
import Support

extension Benchmark {
    static let suggestions = Benchmark(
        name: "suggestions", what: "hits among the first three; TRACES= names files of real visits"
    ) { settings in
        var generated = TraceScore()
        for seed: UInt64 in 1...settings.pick(10, quick: 2) {
            generated = generated + TraceScore(of: .days(120, seed: seed))
        }
        var figures = Self.figures("made up", generated, reach: 1.5)
        let paths = (ProcessInfo.processInfo.environment["TRACES"] ?? "").split(separator: ":").map(
            String.init)
        var real = TraceScore()
        for path in paths {
            guard let trace = VisitTrace(lines: try String(contentsOfFile: path, encoding: .utf8)) else {
                throw BenchmarkFailure("\(path) is no trace; Benchmarks/Python/folder_visits.py makes one")
            }
            let score = TraceScore(of: trace)
            figures += Self.figures(URL(fileURLWithPath: path).lastPathComponent, score)
            real = real + score
        }
        if !paths.isEmpty { figures += Self.figures("all real traces", real, reach: 1.1) }
        return figures + [Figure("suggesting among 512, of 2,048 uses", try Self.time(settings), "ms")]
    }

    /// The shares of hits, and how many times as many as the better one of the others.
    private static func figures(_ name: String, _ score: TraceScore, reach: Double? = nil) -> [Figure] {
        [
            Figure("\(name): suggested", 100 * score.share(score.predicted), "% of \(score.visits)"),
            Figure("\(name): most recent", 100 * score.share(score.recent), "%"),
            Figure("\(name): most frequent", 100 * score.share(score.frequent), "%"),
            Figure(
                "\(name): over the better one",
                Double(score.predicted) / Double(max(score.recent, score.frequent, 1)), "×",
                reach: reach.map { .atLeast($0) }),
        ]
    }

    /// Milliseconds for suggestions when as much is remembered as can be.
    private static func time(_ settings: Settings) throws -> Double {
        var generator = SeededGenerator(seed: 9)
        var (predictor, time) = (Predictor(), WallTime(milliseconds: 1_767_571_200_000))
        let things = (0..<512).map {
            SavedActivityName(app: "org.example", identifier: "\($0)").key.identity.hash
        }
        for _ in 0..<Predictor.usesMost {
            time = time.advanced(by: .seconds(Int64(generator.number(60...3600))))
            // Some are used much more often than others.
            let place = min(generator.number(0...511), generator.number(0...511))
            _ = predictor.learn(PastUse(things[place], at: WeekMoment(time, offset: 0)))
        }
        let candidates = things.map { Predictor.Candidate($0, on: nil, changed: time) }
        let rounds = settings.pick(100, quick: 5)
        let start = ContinuousClock.now
        var sum = 0.0
        for _ in 0..<rounds {
            sum += predictor.predictions(of: candidates, at: WeekMoment(time, offset: 0)).first?.score ?? 0
        }
        guard sum.isFinite, sum != 0 else { throw BenchmarkFailure("nothing was suggested") }
        return (ContinuousClock.now - start).seconds * 1000 / Double(rounds)
    }
}
