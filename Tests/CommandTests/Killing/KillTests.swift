import Foundation
import Support
import Testing

/// Acknowledged changes are kept, whenever a node is killed.
///
/// `BATON_KILLS` sets the number of kills; `BATON_SEED` repeats one run, as far as moments can be repeated.
@Suite struct `Killing nodes` {
    private static let kills = ProcessInfo.processInfo.environment["BATON_KILLS"].flatMap { Int($0) } ?? 12

    @Test func `killing either node loses nothing acknowledged`() throws {
        let seed = Seeds.replayed ?? UInt64.random(in: 1...UInt64(UInt32.max))
        let comment: Comment = "BATON_SEED=\(seed)"
        print("Killing nodes: BATON_SEED=\(seed) BATON_KILLS=\(Self.kills)")
        var generator = SeededGenerator(seed: seed)
        let account = try Account("laptop", "desktop")
        var acknowledged = Acknowledged()
        var acknowledgements = 0
        for kill in 0..<Self.kills {
            let victim = account[kill % 2]
            // Some undisturbed commands on both machines; their changes may still be on the way to the other one.
            for number in 0..<generator.number(0...3) {
                let machine = generator.pick(account.machines)
                let command = Command(&generator, on: machine, acknowledged, title: "calm \(kill).\(number)")
                let status = try machine.type(command.words).status
                #expect(status == 0, comment)
                acknowledged.note(command.title, at: command.place, status: status)
                acknowledgements += 1
            }
            // One command during which the node dies.
            let command = Command(&generator, on: victim, acknowledged, title: "disturbed \(kill)")
            let process = try victim.begin(command.words)
            usleep(UInt32(generator.number(0...15_000)))
            victim.killNode()
            let status = try process.wait()
            acknowledged.note(command.title, at: command.place, status: status)
            acknowledgements += status == 0 ? 1 : 0

            try victim.startNode()
            for machine in account.machines { try machine.waitUntilInStep() }
            for machine in account.machines { acknowledged.check(try machine.titles(), comment) }
        }
        for machine in account.machines {
            #expect(!machine.log.contains("lost its last changes"), "a kill is no fault of the disk")
        }
        print("Killing nodes: \(acknowledgements) commands were acknowledged, and none was lost")
    }

    @Test func `killing both nodes simultaneously loses nothing acknowledged`() throws {
        let account = try Account("laptop", "desktop")
        try account[0].must("start", "x", "--instance", "a", "--title", "of the laptop")
        try account[1].must("start", "x", "--instance", "a", "--title", "of the desktop")
        for machine in account.machines { machine.killNode() }
        for machine in account.machines { try machine.startNode() }
        for machine in account.machines { try machine.waitUntilInStep() }
        for machine in account.machines {
            #expect(
                try machine.list().compactMap { $0["title"].string }.sorted() == [
                    "of the desktop", "of the laptop",
                ])
        }
    }

    @Test func `a disconnected machine gets everything when it reconnects`() throws {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        for number in 0..<5 { try laptop.must("start", "x", "--instance", "\(number)", "--title", "before") }
        try eventually("all on the desktop") { try desktop.list().count == 5 }
        desktop.killNode()
        try laptop.must("start", "x", "--instance", "0", "--title", "anew")
        try laptop.must("update", "--instance", "1", "--title", "changed")
        try laptop.must("finish", "--instance", "2")
        try laptop.must("start", "x", "--instance", "5", "--title", "new")
        try desktop.startNode()
        try desktop.waitUntilInStep()
        #expect(
            try desktop.titles().mapKeys(\.instance)
                == ["0": "anew", "1": "changed", "3": "before", "4": "before", "5": "new"])
    }

    @Test func `an activity whose program was killed together with the node ends everywhere`() throws {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        let app = try laptop.begin(["baton", "app", "org.example.x"], hasInput: true)
        app.write(Array(#"{"become":{"type":"x","title":"bound"}}"#.utf8) + [10])
        try laptop.must("start", "x", "--instance", "a", "--title", "stays")
        for title in ["bound", "stays"] { try desktop.waitForActivity(titled: title) }
        // The node dies first, so that it never learns of the other's end.
        laptop.killNode()
        app.end(SIGKILL)
        try laptop.startNode()
        try laptop.waitForEnd(ofActivityTitled: "bound")
        try laptop.waitUntilInStep()
        for machine in account.machines {
            #expect(try machine.list().map { $0["title"] } == [.string("stays")])
        }
    }

    @Test func `a node that is asked to stop exits with status 0`() throws {
        let account = try Account("laptop", "desktop")
        #expect(try account[0].stopNode() == 0)
        #expect(try account[0].baton("list").status == 3)
        try eventually("a desktop that noticed") {
            try account[1].json("status")["peers"].list.first?["connected"] == .boolean(false)
        }
        #expect(!FileManager.default.fileExists(atPath: account[0].home + "/run/node.sock"))
    }
}

/// One command of a random run, with its result.
private struct Command {
    let words: [String]
    let title: String?
    let place: Acknowledged.Place

    /// A start or, if an activity certainly exists, sometimes an update or its end.
    init(_ generator: inout SeededGenerator, on machine: Machine, _ known: Acknowledged, title: String) {
        place = Acknowledged.Place(machine: machine.name, instance: "i\(generator.number(0...3))")
        let option = ["--instance", place.instance]
        switch known.title(at: place) == nil ? 0 : generator.number(0...2) {
        case 1: (words, self.title) = (["baton", "update", "--title", title] + option, title)
        case 2: (words, self.title) = (["baton", "finish"] + option, nil)
        default: (words, self.title) = (["baton", "start", "x", "--title", title] + option, title)
        }
    }
}

extension Dictionary {
    /// The same values under other keys, which must differ.
    fileprivate func mapKeys<Other: Hashable>(_ change: (Key) -> Other) -> [Other: Value] {
        [Other: Value](uniqueKeysWithValues: map { (change($0.key), $0.value) })
    }
}
