import BatonCore
import BatonStore
import Support
import Testing

/// The effects of a member that writes with the largest time, by a fault or on purpose.
@Suite struct `A member that writes with the largest time` {
    private let laptop, desktop: Machine

    init() throws {
        let account = try Account("laptop", "desktop")
        (laptop, desktop) = (account[0], account[1])
    }

    @Test(arguments: [true, false])
    func `an activity written or deleted with the largest time is replaced by the next activity everywhere`(
        _ isPlanted: Bool
    ) throws {
        try laptop.must("start", "org.example.editing", "--title", "first")
        let first = try desktop.waitForActivity(titled: "first")
        let planted = Activity(type: "org.example.planted", started: WallTime(milliseconds: 1))
        let name = try name(of: first)
        try plant([(name.key, isPlanted ? .full(planted.content) : .deletion)])
        try laptop.waitUntilConnected(with: desktop)

        for title in ["second", "third"] {
            let started = try laptop.must("start", "org.example.editing", "--title", title)
            #expect(started.hasPrefix("Started “\(title)”"))
            let seen = try desktop.waitForActivity(titled: title)
            #expect(started.contains(try #require(seen["id"].string?.prefix(7))), "\(started) \(seen)")
        }
        let third = try #require(try desktop.waitForActivity(titled: "third")["id"].string)
        #expect(try desktop.json("continue", third)["source"] == .string("node"))
        try laptop.must("update", "--title", "fourth")
        try desktop.waitForActivity(titled: "fourth")
        #expect(try laptop.list().map { $0["title"].string } == ["fourth"])

        // A node that restarts goes on with the valid name.
        #expect(try laptop.stopNode() == 0)
        try laptop.startNode()
        try laptop.waitUntilConnected(with: desktop)
        #expect(try laptop.list().map { $0["title"].string } == ["fourth"])
        try laptop.must("finish")
        try desktop.waitForEnd(ofActivityTitled: "fourth")
        #expect(try laptop.list().isEmpty)
    }

    @Test func `index commands report that a change has no effect, and what to do`() throws {
        try laptop.must("index", "add", "org.example.notes", "kept", "--title", "kept")
        try desktop.waitUntilInStep()
        let scope = Scope.items(app: "org.example.cleared", index: "default")
        let state = try ClientState([1], covers: VersionVector(), changed: WallTime(milliseconds: 1))
        let job = ClientStateName(app: "org.example.job", index: "default")
        var item = Item()
        item.attributes[.title] = .plain(.string("planted"))
        try plant([
            (note("planted").key, .full(item.content(note("planted")))), (note("gone").key, .deletion),
            (scope.clearKey(in: .index), .full(Write.Content(fields: Fields()))),
            (job.key, .full(state.content(job))),
        ])
        try laptop.waitUntilConnected(with: desktop)

        let notes = "org.example.notes"
        for words in [
            ["add", notes, "planted", "--title", "mine"], ["update", notes, "planted", "--title", "mine"],
            ["delete", notes, "planted"], ["add", notes, "gone", "--title", "mine"], ["clear", notes],
            ["add", "org.example.cleared", "a", "--title", "mine"],
        ] {
            let answer = try laptop.type(["baton", "index"] + words)
            #expect(answer.status == 1 && answer.errors.contains("1 change has no effect"), "\(answer)")
            #expect(answer.errors.contains("another index"), "\(answer)")
        }
        for batch in [#"{"item":"gone","title":"mine"}"# + "\n" + #"{"state":null}"#, #"{"state":"page 1"}"#]
        {
            let app = batch.contains("item") ? notes : "org.example.job"
            let process = try laptop.begin(["baton", "index", "batch", app], hasInput: true)
            process.write(Array((batch + "\n").utf8))
            process.closeInput()
            #expect(try process.wait() == 1)
            #expect(process.errors.contains("1 change has no effect"), "\(process.errors)")
        }
        // Other items can be written as usual.
        try laptop.must("index", "add", notes, "new", "--title", "new")
        try laptop.must("index", "delete", notes, "gone")
        try laptop.must("index", "add", "org.example.cleared", "a", "--title", "mine", "--index", "second")
        try desktop.waitUntilInStep()
        #expect(try desktop.json("search", "new")["results"].list.count == 1)
        #expect(
            try laptop.json("status", "--digest")["digest"] == desktop.json("status", "--digest")["digest"])
    }

    private func note(_ identifier: String) -> ItemName {
        ItemName(app: "org.example.notes", index: "default", identifier: identifier)
    }

    private func name(of activity: JSONValue) throws -> ActivityName {
        let device = try #require(
            activity["device"]["id"].string.flatMap { DeviceIdentifier(text: $0) }, "\(activity)")
        return ActivityName(
            device: device, app: try #require(activity["app"].string),
            instance: try #require(activity["instance"].string))
    }

    /// Puts writes with the largest time into the desktop's store, as if its node had made them, and starts it again.
    private func plant(_ writes: [(key: RecordKey, action: Write.Action)]) throws {
        let account = try #require(
            try desktop.json("status")["account"].string.flatMap { AccountIdentifier(text: $0) })
        #expect(try desktop.stopNode() == 0)
        do {
            let home = try Home(option: desktop.home) { _ in nil }
            let store = try SQLiteStore(folder: home.account(), account: account)
            let clock = try store.summary().clock
            let life = Life(
                after: clock, of: DeviceIdentifier(high: 5, low: 5), random: .random(in: 0...UInt64.max))
            for lane in Lane.allCases {
                let own = writes.filter { $0.key.kind.lane == lane }
                guard !own.isEmpty else { continue }
                let origin = Origin(life: life, lane: lane)
                let planted = own.enumerated().map { place, write in
                    Write(
                        dot: Dot(origin: origin, sequence: 1, place: UInt32(place)), key: write.key,
                        stamp: Stamp(time: .largest, life: life), action: write.action)
                }
                _ = try store.commit(
                    StoreTransaction(
                        lane: lane, writes: planted, completing: VersionVector([(origin, 1 as UInt64)]),
                        clock: clock))
            }
        }
        try desktop.startNode()
    }
}
