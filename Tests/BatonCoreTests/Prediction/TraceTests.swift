import BatonCore
import Foundation
import Support
import Testing

/// Holds the predictor against guesses of the most recent and of the most frequent things.
@Suite struct `Predictions for whole traces` {
    private static let timetable = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("timetable").path

    @Test func `are right more often than the most recent and most frequent things, on generated days`() {
        var sum = TraceScore()
        for seed: UInt64 in 1...3 {
            let score = TraceScore(of: .days(90, seed: seed))
            #expect(score.predicted > max(score.recent, score.frequent), "seed \(seed): \(score)")
            sum = sum + score
        }
        #expect(sum.visits > 500)
        #expect(sum.share(sum.predicted) > 0.45, "\(sum)")
        #expect(sum.share(sum.predicted) > sum.share(max(sum.recent, sum.frequent)) + 0.1, "\(sum)")
    }

    @Test func `are right more often than recency and frequency, on traces of an independent generator`()
        throws
    {
        var sum = TraceScore()
        let folder = try TemporaryFolder()
        for seed in 1...2 {
            let process = try ChildProcess(
                ["python3", Self.timetable, "\(seed)", "90"],
                environment: ProcessInfo.processInfo.environment, files: folder.path + "/\(seed)")
            try #require(try process.wait(within: .seconds(60)) == 0, "\(process.errors)")
            let trace = try #require(VisitTrace(lines: process.output))
            sum = sum + TraceScore(of: trace)
        }
        #expect(sum.visits > 500)
        #expect(sum.share(sum.predicted) > 0.45, "\(sum)")
        #expect(sum.share(sum.predicted) > sum.share(max(sum.recent, sum.frequent)) + 0.15, "\(sum)")
    }

    @Test func `a trace is read from lines, and repeated names are one visit`() throws {
        let trace = try #require(VisitTrace(lines: "1\ta\n2\ta\n3\tb\tc\n"))
        #expect(trace.visits.map(\.name) == ["a", "b\tc"])
        #expect(trace.visits.map(\.time.milliseconds) == [1000, 3000])
        #expect(VisitTrace(lines: "1 a\n") == nil && VisitTrace(lines: "x\ta\n") == nil)
        #expect(VisitTrace(lines: "")?.visits.isEmpty == true)
    }
}
