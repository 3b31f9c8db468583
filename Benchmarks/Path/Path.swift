import BatonCore
import Foundation
import Support

extension Benchmark {
    static let path = Benchmark(
        name: "path",
        what: "what two nodes execute for one change of an activity, counted by callgrind"
    ) { settings in
        guard CountedNode.isPossible else {
            print("!!! valgrind is not on this machine, and nothing is counted: apt-get install valgrind")
            return []
        }
        let folder = try TemporaryFolder()
        let changes = settings.pick(20, quick: 5)
        let counted = try CountedHandOver(in: folder, changes: changes)
        try counted.report.write(toFile: CountedHandOver.reportPath, atomically: true, encoding: .utf8)
        return counted.figures
    }
}

/// One change of an activity after another, from an app through two nodes to another app, with callgrind on both nodes.
private struct CountedHandOver {
    /// Where the functions are listed.
    static let reportPath = ".build/path.txt"

    private let sides: [(name: String, costs: [CostOfChange])]

    /// How many changes come before counting begins.
    private static let warmUp = 40
    /// Far enough apart that each change is stored, acknowledged and claimed before the next.
    private static let pause: UInt32 = 400_000

    init(in folder: TemporaryFolder, changes: Int) throws {
        let origin = try CountedNode(NodeHome(folder.path + "/origin"), in: folder.path + "/origin-counts")
        let receiver = try CountedNode(
            NodeHome(folder.path + "/receiver", joining: origin.home), in: folder.path + "/receiver-counts")
        try eventually("two connected nodes", within: .seconds(120)) {
            try [origin.home, receiver.home].allSatisfy { try $0.status.peers.contains(where: \.isConnected) }
        }
        let script = try AppScript.activities()
        var teller = try CountedApp(origin.home)
        var hearer = try CountedApp(receiver.home)
        try teller.send(script.opening)
        try teller.answer()
        try hearer.send(script.listening)
        var seen = try hearer.ask(WatchActivities(after: nil)).number
        for number in 1...Self.warmUp + changes {
            if number == Self.warmUp + 1 {
                for node in [origin, receiver] { try node.count() }
                for node in [origin, receiver] { try node.mark() }
            }
            try hearer.send(WatchActivities(after: seen))
            try teller.send(try script.change(number))
            try teller.answer()
            let changes = try hearer.answer(to: WatchActivities.self)
            guard changes.changed.count == 1 else { throw BenchmarkFailure("another change was heard") }
            seen = changes.number
            usleep(Self.pause)
            guard number > Self.warmUp else { continue }
            for node in [origin, receiver] { try node.mark() }
        }
        for node in [receiver, origin] { try node.home.stop() }
        sides = try [("origin", origin), ("receiver", receiver)].map { name, node in
            (name, try CostOfChange.all(try node.parts(), count: changes))
        }
    }

    var figures: [Figure] {
        sides.flatMap { name, costs in
            let figure = {
                (
                    part: (CostOfChange) -> ExecutedPart, what: String, unit: String, reach: Double?,
                    count: (ExecutedPart) -> Int
                ) in
                Figure(
                    "path, \(name), \(what)", costs.map { Double(count(part($0))) }.median, unit,
                    reach: reach.map { .atMost($0) })
            }
            return [
                figure(\.beforeSend, "before the send", "instructions", 60_000, \.instructionCount),
                figure(\.all, "in all", "instructions", 450_000, \.instructionCount),
                figure(\.beforeSend, "look-ups before", "of metadata", 0, \.metadataLookups),
                figure(\.all, "look-ups in all", "of metadata", nil, \.metadataLookups),
                figure(\.beforeSend, "allocations before", "times", nil, \.allocations),
                figure(\.all, "allocations in all", "times", nil, \.allocations),
                figure(\.beforeSend, "code before", "cache lines", nil, \.cacheLines.count),
                figure(\.all, "code in all", "cache lines", nil, \.cacheLines.count),
            ]
        }
    }

    /// The functions that executed most, for each node before it sent and in all.
    var report: String {
        sides.map { name, costs in
            table("\(name), before the send", costs.map(\.beforeSend))
                + table("\(name), in all", costs.map(\.all))
        }.joined()
    }

    private func table(_ title: String, _ parts: [ExecutedPart]) -> String {
        var sum = ExecutedPart()
        for part in parts { sum.add(part) }
        return PathTable(title, sum, count: parts.count).text
    }
}

/// The work of a node for one change.
private struct CostOfChange {
    /// By the thread that sends, from where it woke until it sends for the first time.
    private(set) var beforeSend = ExecutedPart()
    /// By all threads, until nothing is left to do.
    private(set) var all = ExecutedPart()

    /// Returns the costs of changes, which marks separate; what comes before the first mark belongs to none.
    static func all(_ parts: [ExecutedPart], count: Int) throws -> [CostOfChange] {
        var costs: [CostOfChange] = []
        let dumps = Dictionary(grouping: parts, by: \.dump).sorted { $0.key < $1.key }.map(\.value)
        var (current, hasSent): (CostOfChange?, Bool) = (nil, false)
        for dump in dumps {
            for part in dump { current?.all.add(part) }
            switch dump[0].ending {
            case .mark:
                // Threads that waited all the time have no part in a change.
                if let current, hasSent { costs.append(current) }
                (current, hasSent) = (CostOfChange(), false)
            case .function("send"), .function("sendmsg"):
                guard !hasSent, let sender = dump.max(by: { $0.instructionCount < $1.instructionCount })
                else { break }
                hasSent = true
                current?.beforeSend.add(sender)
            case .function, .exit: break
            }
        }
        guard costs.count == count else {
            throw BenchmarkFailure("callgrind tells of \(costs.count) changes instead of \(count)")
        }
        return costs
    }
}
