import BatonCore
import Foundation
import Support
import Testing

/// A store with one changed byte.
///
/// `BATON_BYTE_FLIPS` is the number of bytes that are tried, each alone.
@Suite struct `A damaged store` {
    private static let flips =
        ProcessInfo.processInfo.environment["BATON_BYTE_FLIPS"].flatMap { Int($0) } ?? 50

    @Test func `a damaged byte crashes no process, and never leads to wrong content`() throws {
        var generator = SeededGenerator(seed: Seeds.replayed ?? 1)
        var counts: [DamagedStore.Outcome: Int] = [:]
        var files: [String: Int] = [:]
        let stores = try (0..<4).map { try DamagedStore(seed: UInt64($0 / 2), isKilled: $0 % 2 == 0) }
        for number in 0..<Self.flips {
            let (file, outcome) = try stores[number % stores.count].flip(&generator)
            counts[outcome, default: 0] += 1
            files["\(file) \(outcome)", default: 0] += 1
        }
        for (text, count) in files.sorted(by: { $0.key < $1.key }) {
            print("A damaged store: \(count) × \(text)")
        }
        #expect(counts.values.reduce(0, +) == Self.flips)
        #expect(counts[.servesWrong] == nil)
        #expect(
            Set(counts.keys).isSubset(of: [.unharmed, .setBack, .rescued]), "each ends in a store that runs")
    }
}
