import Foundation
import Support

/// Looks for orders of merging that differ, for as long as wanted and on all cores: `hunt MERGES [SEED]`.
///
/// The tests do the same with a small count.
@main struct Hunt {
    /// How many merges are made of one seed.
    private static let share = 500_000

    static func main() async {
        let numbers = CommandLine.arguments.dropFirst().map { Int($0) ?? 0 }
        guard let merges = numbers.first, merges > 0, numbers.count <= 2 else {
            print("usage: hunt MERGES [SEED]")
            exit(2)
        }
        let (first, count) = (numbers.count == 2 ? numbers[1] : 1, (merges + share - 1) / share)
        let began = ContinuousClock.now
        let (made, failed) = await hunt(seeds: first..<first + count)
        let seconds = (ContinuousClock.now - began).components.seconds
        print("\(made) merges of seeds \(first) to \(first + count - 1) in \(seconds) s, \(failed) failed")
        exit(failed == 0 ? 0 : 1)
    }

    /// Plays seeds, as many at a time as there are cores.
    private static func hunt(seeds: Range<Int>) async -> (merges: Int, failed: Int) {
        await withTaskGroup(of: (Int, Bool).self) { group in
            var (made, failed) = (0, 0)
            for (started, seed) in seeds.enumerated() {
                if started >= ProcessInfo.processInfo.activeProcessorCount, let next = await group.next() {
                    (made, failed) = (made + next.0, failed + (next.1 ? 0 : 1))
                }
                group.addTask { play(seed) }
            }
            for await (merges, isRight) in group {
                (made, failed) = (made + merges, failed + (isRight ? 0 : 1))
            }
            return (made, failed)
        }
    }

    private static func play(_ seed: Int) -> (Int, Bool) {
        let (merges, failures) = OrderWalk.hunt(seed: UInt64(seed), merges: share)
        for order in failures { print("BATON_SEED=\(seed) differs after \(order)") }
        return (merges, failures.isEmpty)
    }
}
