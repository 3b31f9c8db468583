import Foundation
import Simulation

/// Plays worlds of all profiles in turn until one breaks a promise: `Play WORLDS SECONDS`.
///
/// Takes the place of `Simulate` in the copy of the sources, as nothing is shrunk or told here. It prints each world
/// before it is played, so that the last line names the one that crashed or never ended.
@main struct Play {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        guard arguments.count == 2 else {
            print("usage: Play WORLDS SECONDS")
            exit(2)
        }
        let end = ContinuousClock.now + .seconds(arguments[1])
        for (name, store, seed) in worlds.prefix(arguments[0]) where ContinuousClock.now < end {
            print("\(name) on \(store), seed \(seed)")
            fflush(nil)
            guard let violation = World(seed: seed, name, on: store).run() else { continue }
            print("promise \(violation.promise.rawValue) (\(violation.promise))")
            exit(1)
        }
    }

    /// One seed of each profile and store comes before the next seed of any.
    private static var worlds: some Sequence<(ProfileName, StoreName, UInt64)> {
        (1...UInt64.max).lazy.flatMap { seed in
            ProfileName.allCases.lazy.flatMap { name in
                StoreName.allCases.lazy.map { (name, $0, seed) }
            }
        }
    }
}
