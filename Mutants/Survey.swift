import BatonCore
import Foundation
import Simulation

/// The worlds of a profile on a store.
struct Family: Hashable {
    let name: ProfileName
    let store: StoreName

    static let all = ProfileName.allCases.flatMap { name in
        StoreName.allCases.map { Family(name: name, store: $0) }
    }
}

/// A world that was played without any mutant.
struct SurveyedWorld {
    let family: Family
    let seed: UInt64
    let time: Duration
    let marks: [Mark]
    /// The mutants whose places were evaluated.
    ///
    /// A world goes the same way with any other mutant.
    let reached: Set<Int>

    init(_ family: Family, _ seed: UInt64, _ time: Duration, _ marks: Marks, _ reached: [Int]) {
        (self.family, self.seed, self.time, self.reached) = (family, seed, time, Set(reached))
        self.marks = Mark.allCases.filter { marks[$0] > 0 }
    }

    /// Reads a line of a survey.
    init?(_ line: Substring) {
        let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard columns.count == 6, let name = ProfileName(rawValue: String(columns[0])),
            let store = StoreName(rawValue: String(columns[1])), let seed = UInt64(columns[2]),
            let milliseconds = Int(columns[3])
        else { return nil }
        (family, self.seed, time) = (Family(name: name, store: store), seed, .milliseconds(milliseconds))
        marks = columns[4].split(separator: ",").compactMap { Mark(rawValue: String($0)) }
        reached = Set(columns[5].split(separator: ",").compactMap { Int($0) })
    }

    var line: String {
        let columns = [
            family.name.rawValue, family.store.rawValue, "\(seed)", "\(Int(time / .milliseconds(1)))",
            marks.map(\.rawValue).joined(separator: ","), reached.map { "\($0)" }.joined(separator: ","),
        ]
        return columns.joined(separator: "\t")
    }
}

extension [SurveyedWorld] {
    init(path: String) throws {
        self = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            .compactMap(SurveyedWorld.init)
    }

    /// The worlds that reach a mutant, one of each family before the next of any.
    func reaching(_ mutant: Int) -> [SurveyedWorld] {
        var counts: [Family: Int] = [:]
        let turns = compactMap { world -> (turn: Int, world: SurveyedWorld)? in
            guard world.reached.contains(mutant) else { return nil }
            counts[world.family, default: 0] += 1
            return (counts[world.family] ?? 0, world)
        }
        // The shortest world of a turn comes first, which also makes the order the same in every process.
        return turns.sorted { ($0.turn, $0.world.time) < ($1.turn, $1.world.time) }.map(\.world)
    }
}
