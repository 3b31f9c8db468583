import BatonClient
import BatonCore
import Foundation
import Support
import Testing

/// Whenever a node is killed, everything that it acknowledged to busy apps is there, and nothing in part.
///
/// `BATON_KILLS` sets the number of kills; `BATON_SEED` repeats one run, as far as moments can be repeated.
@Suite struct `Killing a node while it writes` {
    private static let kills = ProcessInfo.processInfo.environment["BATON_KILLS"].flatMap { Int($0) } ?? 50

    @Test func `a node killed while it writes loses nothing acknowledged, and no batch is partly visible`()
        throws
    {
        let seed = Seeds.replayed ?? UInt64.random(in: 1...UInt64(UInt32.max))
        var generator = SeededGenerator(seed: seed)
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        let home = try Home(option: laptop.home) { _ in nil }
        let apps = (0..<3).map { BusyApp($0, home, seed: seed) }
        for kill in 0..<Self.kills {
            let comment: Comment = "kill \(kill), BATON_SEED=\(seed)"
            let count = apps.reduce(0) { $0 + $1.count } + generator.number(0...30)
            for app in apps { app.begin() }
            try eventually("\(count) writes; \(apps.map(\.end)); \(laptop.log)") {
                apps.reduce(0) { $0 + $1.count } >= count || apps.contains { !$0.isWriting }
            }
            #expect(!apps.contains { !$0.isWriting }, "\(apps.map(\.end)); \(comment)")
            usleep(UInt32(generator.number(0...3000)))
            // The other machine may die as well, while it receives.
            let killsBoth = generator.chance(15)
            if killsBoth { desktop.killNode() }
            laptop.killNode()
            try eventually("the end of all connections") { !apps.contains { $0.isWriting } }

            try laptop.startNode()
            if killsBoth { try desktop.startNode() }
            var connection = try NodeConnection(home)
            let listed = try connection.activities()
            for app in apps { try app.check(listed, comment) }
        }
        for machine in account.machines { try machine.waitUntilInStep() }
        // Changes that the laptop had sent to the desktop and lost itself are back on both.
        let listed = try [laptop, desktop].map { (machine) throws in
            var connection = try NodeConnection(try Home(option: machine.home) { _ in nil })
            return try connection.activities()
        }
        for app in apps { try app.check(listed[0], "in the end, BATON_SEED=\(seed)") }
        let titles = listed.map { Set($0.map { "\($0.instance) \($0.activity.title ?? "")" }) }
        #expect(titles[0] == titles[1], "on both machines, BATON_SEED=\(seed)")
        let total = apps.reduce(0) { $0 + $1.count }
        #expect(total > Self.kills)
        print("Killing a busy node: \(total) writes were acknowledged, and \(Self.kills) kills took none")
    }
}
