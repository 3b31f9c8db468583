import BatonCore
import BatonNode
import BatonSecurity
import BatonStore
import Support
import Testing

/// A node with a member that writes activities in the node's name.
@Suite struct `A member that plants activities of another device` {
    private final class Stage {
        private let folder: TemporaryFolder
        private(set) var node: RunningNode
        private let far: Home
        private let account: AccountIdentifier
        private let device: DeviceIdentifier
        /// How many lives the member has made up.
        private var lives: UInt64 = 0

        init() throws {
            folder = try TemporaryFolder()
            node = try RunningNode.first(folder, "near")
            try node.admit("far")
            far = try RunningNode.home(folder, "far")
            let status = try node.status()
            (account, device) = (status.account, status.device.identifier)
        }

        /// Starts an activity as an app of this machine.
        func start(_ title: String) throws {
            var change = ActivityChange()
            change.title = title
            _ = try node.ask(
                StartActivity(
                    app: "org.example", instance: "1", lifetime: .untilFinished, type: "org.example.editing",
                    change: change)
            ).get()
        }

        /// Sends an activity in the node's name, as if an earlier life of the node or of the member had written it, and
        /// waits until the node has taken it.
        func plant(_ title: String, instance: String, inLifeOf writer: DeviceIdentifier? = nil) throws {
            let time = presentTime
            var activity = Activity(type: "org.example.editing", started: time)
            (activity.title, activity.eligibility) = (title, .handoff)
            lives += 1
            let stamp = HybridTime(value: UInt64(time.milliseconds) << 16)
            let writer = try writer ?? IdentityFolder(path: far.identity()).load().device
            let life = Life(after: stamp, of: writer, random: lives)
            let origin = Origin(life: life, lane: .activities)
            let write = Write(
                dot: Dot(origin: origin, sequence: 1),
                key: ActivityName(device: device, app: "org.example", instance: instance).key,
                stamp: Stamp(time: HybridTime(value: life.birth.value + 1), life: life),
                action: .full(activity.content))
            let member = try ActedDevice(far, callingPort: node.port)
            member.say(
                .batch(
                    Batch(
                        number: 1, lane: .activities, writes: [write],
                        complete: VersionVector([(origin, 1 as UInt64)]))))
            var isTaken = false
            while !isTaken, let message = try member.next() { isTaken = message == .acknowledgement(1) }
            try #require(isTaken, "\(node.lines)")
            member.close()
        }

        func plantInOwnLife(_ title: String, instance: String) throws {
            try plant(title, instance: instance, inLifeOf: device)
        }

        func restart() throws {
            node.stop()
            node = try RunningNode(folder, "near")
        }

        /// Has the node's store refuse to write over a planted record, or accept that again.
        func refuseWritingOverPlanted(_ isRefused: Bool) throws {
            let trigger = """
                CREATE TRIGGER refusal BEFORE UPDATE ON records
                WHEN instr(OLD.fields, CAST('planted' AS BLOB)) > 0
                BEGIN SELECT RAISE(ABORT, 'on purpose'); END;
                """
            try SQLiteScript.run(
                isRefused ? trigger : "DROP TRIGGER refusal", on: node.home.account() + "/activities.sqlite")
        }

        /// Returns the titles of the activities that the node lists, with those that are hidden.
        func listed() throws -> [String?] {
            try node.ask(ListActivities(.withForgotten)).get().activities.map(\.activity.title)
        }

        /// Returns the titles of the activities in the store, which other devices get.
        func stored() throws -> [String?] {
            node.stop()
            let store = try SQLiteStore(folder: node.home.account(), account: account)
            return try store.records(of: .currentActivity).compactMap(\.activity).map(\.activity.title)
        }
    }

    @Test func `can't add an activity to this machine under any life, and the planted activity is deleted`()
        throws
    {
        let stage = try Stage()
        try stage.start("own")
        try stage.plant("planted", instance: "2")
        try stage.plantInOwnLife("planted", instance: "3")
        #expect(try stage.listed() == ["own"])
        try stage.restart()
        #expect(try stage.listed() == ["own"])
        #expect(try stage.stored() == ["own"])
    }

    @Test func `can't change an activity of this machine, and the node rewrites it`() throws {
        let stage = try Stage()
        try stage.start("own")
        try untilLater()
        try stage.plantInOwnLife("planted", instance: "1")
        #expect(try stage.listed() == ["own"])
        #expect(try stage.stored() == ["own"])
        try stage.restart()
        #expect(try stage.listed() == ["own"])
    }

    @Test func `can't end an activity of this machine, even if the node stops before it has rewritten it`()
        throws
    {
        let stage = try Stage()
        try stage.start("own")
        try untilLater()
        try stage.refuseWritingOverPlanted(true)
        try stage.plant("planted", instance: "1")
        #expect(try stage.stored() == ["planted"])
        try stage.refuseWritingOverPlanted(false)
        try stage.restart()
        #expect(try stage.listed() == ["own"])
        #expect(try stage.stored() == ["own"])
    }
}
