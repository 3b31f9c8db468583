import BatonCore
import Foundation
import Simulation

/// Plays worlds of simulated nodes on all cores: `simulate SEED|FIRST-LAST [PROFILE] [STORE]`.
///
/// One seed tells its story; many end with a line that says how many failed, and how often what is rare was reached.
@main struct Simulate {
    static func main() async {
        guard let wish = Wish(CommandLine.arguments.dropFirst()) else {
            say(Wish.usage)
            exit(2)
        }
        let hasFailed: Bool
        switch wish.what {
        case .world(let seed): hasFailed = tell(seed, wish.family)
        case .worlds(let seeds): hasFailed = await play(seeds, wish.family)
        case .comparisons(let seeds): hasFailed = await compare(seeds, wish.family.name)
        #if MISTAKES
            case .mistake(let mistake, let seeds):
                hasFailed = await seeds.count == 1 ? !tell(mistake, seeds.lowerBound) : !find(mistake, seeds)
            case .mistakes(let mistakes): hasFailed = await !find(mistakes)
        #endif
        }
        exit(hasFailed ? 1 : 0)
    }

    /// Tells what happens in one world; of a failing one, in the smallest that fails likewise.
    private static func tell(_ seed: UInt64, _ family: Family) -> Bool {
        let world = family.world(seed, isTold: true)
        guard let violation = world.run() else {
            for line in world.lines { say(line) }
            say("seed \(seed) keeps all promises; its trace is \(world.traceHash)")
            return false
        }
        tellFailure(of: shrinker(seed, family, violation), family.command(seed), violation, lines: .max)
        return true
    }

    private static func shrinker(_ seed: UInt64, _ family: Family, _ violation: Violation) -> Shrinker {
        Shrinker(
            seed: seed, profile: family.name.profile(for: seed), on: family.store,
            breaking: violation.promise)
    }

    /// Tells the smallest world in which a seed breaks the same promise: so many lines at its beginning and its end.
    static func tellFailure(
        of shrinker: Shrinker, _ command: String, _ violation: Violation, lines: Int
    ) {
        // Shrinking may take minutes, and may be stopped.
        say("seed \(shrinker.seed) breaks \(violation); shrinking …")
        var shrinker = shrinker
        shrinker.shrink()
        let world = shrinker.world(isTold: true)
        let found = world.run() ?? violation
        var story = world.lines.map { "  \($0)" }
        if story.count / 2 > lines {
            let left = "  … \(story.count - 2 * lines) lines, which the command below tells, too"
            story = story.prefix(lines) + [left] + story.suffix(lines)
        }
        if !world.why.isEmpty { story += ["", "  why:"] + world.why.map { "  \($0)" } }
        say(
            "\(story.joined(separator: "\n"))\nseed \(shrinker.seed) breaks \(found)\nreplay with: \(command)"
        )
    }

    /// Plays many worlds on all cores; the first failures are told as they are found.
    private static func play(_ seeds: ClosedRange<UInt64>, _ family: Family) async -> Bool {
        let began = ContinuousClock.now
        var (marks, failed) = (Marks(), 0)
        await onAllCores(seeds) { seed in
            let world = family.world(seed)
            return (world.run(), world.marks)
        } note: { seed, outcome in
            marks += outcome.1
            guard let violation = outcome.0 else { return }
            failed += 1
            if failed <= storiesMost {
                return tellFailure(
                    of: shrinker(seed, family, violation), family.command(seed), violation, lines: 100)
            }
            say("seed \(seed) breaks \(violation)\nreplay with: \(family.command(seed))")
        }
        let seconds = began.duration(to: .now).components.seconds
        let missing = marks.missing(of: family.name, in: seeds.count, on: family.store)
        if !missing.isEmpty { say("never reached: \(missing.map(\.rawValue).joined(separator: ", "))") }
        say("\(seeds.count) worlds of \(family) in \(seconds) s, \(failed) failures; \(marks)")
        return failed > 0 || !missing.isEmpty
    }

    /// Plays many worlds on both stores, which must tell one story.
    private static func compare(_ seeds: ClosedRange<UInt64>, _ name: ProfileName) async -> Bool {
        var differing = 0
        await onAllCores(seeds) { seed in
            StoreComparison(seed: seed, name).run(common: seeds.count == 1 ? 1000 : 3)
        } note: { seed, difference in
            guard let difference else { return }
            differing += 1
            say("seed \(seed) goes two ways:\n  \(difference)")
        }
        say("\(seeds.count) worlds of \(name) on both stores, \(differing) of them went two ways")
        return differing > 0
    }

    /// Does something for each seed or mistake, on all cores, and notes what came of it.
    static func onAllCores<Input: Sendable, Result: Sendable>(
        _ inputs: some Sequence<Input>, _ body: @escaping @Sendable (Input) -> Result,
        note: (Input, Result) -> Void
    ) async {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        await withTaskGroup(of: (Input, Result).self) { group in
            for (place, input) in inputs.enumerated() {
                if place >= cores, let next = await group.next() { note(next.0, next.1) }
                group.addTask { (input, body(input)) }
            }
            for await next in group { note(next.0, next.1) }
        }
    }

    /// Prints a line and flushes it, also into a pipe.
    static func say(_ text: String) {
        print(text)
        fflush(nil)
    }

    /// The number of failures whose story is printed; for the others it prints the command that tells it.
    private static let storiesMost = 3
}
