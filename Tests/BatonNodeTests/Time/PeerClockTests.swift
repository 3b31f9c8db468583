import BatonCore
import BatonNetwork
import BatonNode
import BatonSecurity
import Support
import Testing

/// A node with a peer whose clock was wrong, or is.
@Suite struct `A node beside a wrong clock` {
    private let folder: TemporaryFolder
    private let node: RunningNode
    private let far: Home

    init() throws {
        folder = try TemporaryFolder()
        node = try RunningNode.first(folder, "near")
        try node.admit("far")
        far = try RunningNode.home(folder, "far")
    }

    private static var now: WallTime { WallTime(milliseconds: wallClock()) }

    private func status() throws -> NodeStatus { try node.ask(GetStatus()).get() }

    private func titles() throws -> [String?] {
        try node.ask(ListActivities()).get().activities.map(\.activity.title)
    }

    /// Sends an activity that was changed at a time which the clock of its device showed, and waits until it is here.
    private func send(_ title: String, at time: WallTime, from device: ActedDevice) throws {
        let identity = try IdentityFolder(path: far.identity()).load().device
        let stamp = UInt64(time.milliseconds) << 16
        let origin = Origin(
            life: Life(after: HybridTime(value: stamp), of: identity, random: 1), lane: .activities)
        let name = ActivityName(device: identity, app: "org.example", instance: title)
        var activity = Activity(type: "org.example.editing", started: time)
        (activity.title, activity.changed) = (title, time)
        let dot = Dot(origin: origin, sequence: 1)
        let write = Write(
            dot: dot, key: name.key,
            stamp: Stamp(time: HybridTime(value: origin.life.birth.value + 1), life: origin.life),
            action: .full(activity.content))
        device.say(
            .batch(
                Batch(
                    number: 1, lane: .activities, writes: [write],
                    complete: VersionVector([(origin, 1 as UInt64)]))))
        try eventually("the activity “\(title)”: \(node.lines)") { try titles().contains(title) }
    }

    @Test(arguments: [2, 3_652])
    func
        `a device whose clock was days ahead makes no other clock wrong, and its activity is not listed first`(
            _ days: Int
        ) throws
    {
        let device = try ActedDevice(far, callingPort: node.port)
        try send("from the future", at: Self.now.advanced(by: WallTime.day * days), from: device)
        // Times are whole milliseconds.
        try untilLater()
        var change = ActivityChange()
        change.title = "own"
        let start = StartActivity(
            app: "org.example", instance: "own", lifetime: .untilFinished, type: "org.example.editing",
            change: change)
        #expect(try node.ask(start).get().activity.title == "own")
        #expect(try titles() == ["own", "from the future"])
        let told = try status().troubles
        #expect(!told.contains { $0.contains("clock") }, "\(told)")
        #expect(
            node.lines.contains {
                $0.contains("changes of “far”") && $0.contains("days ahead of the clock here")
            }, "\(node.lines)")
    }

    @Test
    func `a connected device whose clock differs is reported, and only a majority says which clock is wrong`()
        throws
    {
        let ahead = Self.now.advanced(by: WallTime.day * 3)
        let device = try ActedDevice(far, callingPort: node.port, clock: ahead)
        let first = "the clock of “far” is 3 days ahead of that of this device. Compare `date` on both"
        try eventually("a word about two clocks") {
            try status().troubles.contains { $0.hasPrefix(first) && $0.contains("timedatectl set-ntp") }
        }
        try node.admit("further")
        let further = try RunningNode.home(folder, "further")
        let other = try ActedDevice(further, callingPort: node.port, clock: ahead)
        let second = "the clock of this device is 3 days behind those of “"
        try eventually("a word about the clock here") {
            try status().troubles.contains {
                $0.hasPrefix(second) && $0.contains("which agree: set it here")
            }
        }
        device.close()
        other.close()
        try eventually("the end of that") { try !status().troubles.contains { $0.contains("clock") } }
    }

    @Test(arguments: [ClockSynchronization.synchronized, .unsynchronized])
    func `status advises to set this machine's clock only if the kernel does not synchronise it`(
        _ clock: ClockSynchronization
    ) throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder, "near", clock: clock)
        let ahead = Self.now.advanced(by: WallTime.day * 3)
        var devices: [ActedDevice] = []
        for name in ["one", "two"] {
            try node.admit(name)
            let home = try RunningNode.home(folder, name)
            devices.append(try ActedDevice(home, callingPort: node.port, clock: ahead))
        }
        try eventually("a word about clocks: \(node.lines)") {
            let told = try node.status().troubles.filter { $0.contains("“one”") && $0.contains("“two”") }
            return switch clock {
            case .synchronized:
                told.contains {
                    $0.hasPrefix("the clock of “")
                        && $0.contains("3 days ahead of that of this device, which a time server keeps right")
                        && $0.contains("set it there") && !$0.contains("set it here")
                }
            case .unsynchronized:
                told.contains {
                    $0.hasPrefix("the clock of this device, which no time server keeps right, is 3 days")
                        && $0.contains("set it here")
                }
            }
        }
        for device in devices { device.close() }
    }
}
