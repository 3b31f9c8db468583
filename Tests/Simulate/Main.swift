import Foundation
import Simulation

/// Plays worlds of simulated nodes on all cores: `simulate SEED|FIRST-LAST [PROFILE]`.
///
/// One seed tells its story; many end with a line that says how many failed, and how often what is rare was reached.
@main struct Simulate {
    /// From so many worlds on, what was never reached is a failure.
    private static let worldsForAll: UInt64 = 1000

    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        let seeds = (arguments.first ?? "").split(separator: "-").map { UInt64($0) }
        let name = arguments.dropFirst().first ?? ProfileName.swarm.rawValue
        guard let profile = ProfileName(rawValue: name), let first = seeds.first ?? nil,
            let last = seeds.last ?? nil, first <= last, seeds.count <= 2, arguments.count <= 2
        else {
            say(
                "usage: simulate SEED | FIRST-LAST [\(ProfileName.allCases.map(\.rawValue).joined(separator: " | "))]"
            )
            exit(2)
        }
        let hasFailed = seeds.count == 1 ? tell(first, profile) : await play(first...last, profile)
        exit(hasFailed ? 1 : 0)
    }

    /// Tells what happens in one world; of a failing one, in the smallest that fails likewise.
    private static func tell(_ seed: UInt64, _ name: ProfileName) -> Bool {
        let world = World(seed: seed, name, isTold: true)
        guard let violation = world.run() else {
            for line in world.lines { say(line) }
            say("seed \(seed) keeps all promises; its trace is \(world.traceHash)")
            return false
        }
        tellFailure(seed, name, violation, lines: .max)
        return true
    }

    /// Tells the smallest world in which a seed breaks the same promise: so many lines at its beginning and its end.
    private static func tellFailure(
        _ seed: UInt64, _ name: ProfileName, _ violation: Violation, lines: Int
    ) {
        var shrinker = Shrinker(seed: seed, profile: name.profile(for: seed), breaking: violation.promise)
        shrinker.shrink()
        let world = World(seed: seed, profile: shrinker.profile, isTold: true)
        let found = world.run() ?? violation
        var story = world.lines.map { "  \($0)" }
        if story.count / 2 > lines {
            let left = "  … \(story.count - 2 * lines) lines, which the command below tells, too"
            story = story.prefix(lines) + [left] + story.suffix(lines)
        }
        say(
            "\(story.joined(separator: "\n"))\nseed \(seed) breaks \(found)\nreplay with: make simulate SEED=\(seed) PROFILE=\(name)"
        )
    }

    /// Plays many worlds on all cores; the first failures are told as they are found.
    private static func play(_ seeds: ClosedRange<UInt64>, _ name: ProfileName) async -> Bool {
        let began = ContinuousClock.now
        var (marks, failed) = (Marks(), 0)
        let note = { (seed: UInt64, violation: Violation?, more: Marks) in
            marks += more
            guard let violation else { return }
            failed += 1
            if failed <= storiesMost { return tellFailure(seed, name, violation, lines: 100) }
            say("seed \(seed) breaks \(violation)\nreplay with: make simulate SEED=\(seed) PROFILE=\(name)")
        }
        await withTaskGroup(of: (UInt64, Violation?, Marks).self) { group in
            for seed in seeds {
                if seed - seeds.lowerBound >= UInt64(ProcessInfo.processInfo.activeProcessorCount),
                    let next = await group.next()
                {
                    note(next.0, next.1, next.2)
                }
                group.addTask {
                    let world = World(seed: seed, name)
                    return (seed, world.run(), world.marks)
                }
            }
            for await next in group { note(next.0, next.1, next.2) }
        }
        let seconds = began.duration(to: .now).components.seconds
        let isLong = UInt64(seeds.count) >= worldsForAll && name == .swarm
        let missing = isLong ? marks.missing : []
        if !missing.isEmpty { say("never reached: \(missing.map(\.rawValue).joined(separator: ", "))") }
        say("\(seeds.count) worlds of \(name) in \(seconds) s, \(failed) failures; \(marks)")
        return failed > 0 || !missing.isEmpty
    }

    /// Prints at once, also into a pipe.
    private static func say(_ text: String) {
        print(text)
        fflush(nil)
    }

    /// Of so many failures the story is told; of the others the command that tells it.
    private static let storiesMost = 3
}
