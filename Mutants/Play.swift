import BatonCore
import Foundation
import Simulation

/// Plays worlds of a mutated simulator, which it is the main program of.
///
/// - `Play survey SECONDS` plays worlds of all profiles and stores without a mutant, and prints which mutants each
///   reaches.
/// - `Play SURVEY SECONDS` plays worlds that reach the mutant that is on, until one breaks a promise. It prints each
///   before it is played, so that the last line names one that crashed or never ended, and in the end how many there
///   were, or none.
/// - `Play PROFILE STORE SEED` tells the story of one world.
@main struct Play {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.count == 3, let name = ProfileName(rawValue: arguments[0]),
            let store = StoreName(rawValue: arguments[1]), let seed = UInt64(arguments[2])
        {
            tell(Family(name: name, store: store), seed)
        } else if arguments.count == 2, let seconds = Int(arguments[1]) {
            let end = ContinuousClock.now + .seconds(seconds)
            if arguments[0] == "survey" { return survey(until: end) }
            var play = Play(survey: try [SurveyedWorld](path: arguments[0]))
            play.run(until: end)
        } else {
            print("usage: Play survey SECONDS | SURVEY SECONDS | PROFILE STORE SEED")
            exit(2)
        }
    }

    // MARK: Without a mutant

    /// Spends as much time on each family.
    private static func survey(until end: ContinuousClock.Instant) {
        var spent = Family.all.map { ($0, seed: UInt64(0), time: Duration.zero) }
        while ContinuousClock.now < end,
            let next = spent.indices.min(by: { spent[$0].time < spent[$1].time })
        {
            spent[next].seed += 1
            let (family, seed, _) = spent[next]
            let world = World(seed: seed, family.name, on: family.store)
            var violation: Violation?
            let time = ContinuousClock().measure { violation = world.run() }
            spent[next].time += time
            if let violation {
                print("\(family.name) on \(family.store), seed \(seed) breaks \(violation)")
                exit(1)
            }
            print(SurveyedWorld(family, seed, time, world.marks, Mutants.takeReached()).line)
        }
    }

    private static func tell(_ family: Family, _ seed: UInt64) {
        let world = World(seed: seed, family.name, on: family.store, isTold: true)
        let violation = world.run()
        for line in world.lines { print(line) }
        guard let violation else { return print("keeps all promises") }
        print("breaks promise \(violation.promise.rawValue) (\(violation.promise))")
        exit(1)
    }

    // MARK: With a mutant

    private let survey: [SurveyedWorld]
    private let reaching: [SurveyedWorld]
    private var played = 0
    /// The marks that the worlds of a family reached, up to the last seed that was played.
    private var marks: [Family: (last: UInt64, marks: Marks)] = [:]

    private init(survey: [SurveyedWorld]) {
        self.survey = survey
        reaching = survey.reaching(Mutants.number ?? 0)
    }

    private mutating func run(until end: ContinuousClock.Instant) {
        for world in reaching where ContinuousClock.now < end { play(world.family, world.seed) }
        judgeMarks()
        // A mutant that few worlds reach is sought in further worlds of the same families.
        var next: [Family: UInt64] = [:]
        for world in survey { next[world.family] = world.seed + 1 }
        let families = Family.all.filter { family in reaching.contains { $0.family == family } }
        while !families.isEmpty, ContinuousClock.now < end {
            for family in families where ContinuousClock.now < end {
                guard let seed = next[family] else { continue }
                play(family, seed)
                next[family] = seed + 1
            }
        }
        print(played)
    }

    /// Plays a world, and exits if it breaks a promise.
    private mutating func play(_ family: Family, _ seed: UInt64) {
        print("\(family.name) on \(family.store), seed \(seed)")
        fflush(nil)
        limitNextWorld()
        let world = World(seed: seed, family.name, on: family.store)
        if let violation = world.run() {
            print("promise \(violation.promise.rawValue) (\(violation.promise))")
            exit(1)
        }
        played += 1
        var known = marks[family] ?? (0, Marks())
        known.marks += world.marks
        marks[family] = (seed, known.marks)
    }

    /// Exits if worlds of a family no longer reach what they reach for certain.
    private func judgeMarks() {
        for family in Family.all {
            guard let known = marks[family] else { continue }
            let worlds = survey.filter { $0.family == family && $0.seed <= known.last }
            var marks = known.marks
            for world in worlds where !world.reached.contains(Mutants.number ?? 0) {
                for mark in world.marks { marks[mark] += 1 }
            }
            let missing = marks.missing(of: family.name, in: worlds.count, on: family.store)
            guard !missing.isEmpty else { continue }
            print("\(worlds.count) worlds of \(family.name) on \(family.store)")
            print("never reached: \(missing.map(\.rawValue).joined(separator: ", "))")
            exit(1)
        }
    }

    /// Kills this process with SIGPROF if the next world takes far more processor time than one without a mutant.
    private func limitNextWorld() {
        var timer = itimerval(it_interval: timeval(), it_value: timeval(tv_sec: Self.secondsMost, tv_usec: 0))
        setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
    }

    private static let secondsMost = 30
}
