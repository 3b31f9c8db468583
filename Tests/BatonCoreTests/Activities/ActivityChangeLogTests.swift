import BatonCore
import Support
import Testing

/// Tests of the changes that watchers are sent, before and after the store has taken them.
@Suite struct `The change log of activities` {
    private static func name(_ instance: Int) -> ActivityName {
        ActivityName(device: DeviceIdentifier(high: 1, low: 1), app: "org.example", instance: "\(instance)")
    }

    private static func activity(_ title: String, payload: Int = 0) -> Activity {
        var activity = Activity(type: "org.example.edit", started: WallTime(milliseconds: 1))
        activity.title = title
        if payload > 0 { activity.info = [.string("bytes"): .data([UInt8](repeating: 0, count: payload))] }
        return activity
    }

    private static func stamp(_ time: UInt64) -> Stamp {
        Stamp(time: HybridTime(value: time), life: Life(high: 5, low: 5))
    }

    private static func write(
        _ instance: Int, _ title: String?, at time: UInt64, payload: Int = 0
    ) -> Write {
        let dot = Dot(origin: Origin(life: Life(high: 5, low: 5), lane: .activities), sequence: time)
        let action = title.map { Write.Action.full(activity($0, payload: payload).content) } ?? .deletion
        return Write(dot: dot, key: name(instance).key, stamp: stamp(time), action: action)
    }

    /// Returns what a watcher is sent that knows the list as of a number.
    private static func told(_ log: ActivityChangeLog, after number: UInt64) -> [String]? {
        log.changes(after: number)?.map { change in
            switch change.state {
            case .there(let name, let activity): "\(name.instance) \(activity.title ?? "")"
            case .gone: "gone"
            case .unread: "unread"
            }
        }
    }

    @Test func `lists the last change of each activity, in order`() {
        var log = ActivityChangeLog(after: 100)
        #expect(Self.told(log, after: 100) == [])
        for (instance, title) in [(1, "a"), (2, "b"), (1, "c")] {
            log.recordState(Self.name(instance).identity, .init(Self.name(instance), Self.activity(title)))
        }
        #expect(log.number == 103)
        #expect(Self.told(log, after: 100) == ["2 b", "1 c"])
        #expect(Self.told(log, after: 102) == ["1 c"])
        log.recordState(Self.name(2).identity, .gone)
        #expect(Self.told(log, after: 100) == ["1 c", "gone"])
        #expect(Self.told(log, after: 99) == nil && Self.told(log, after: 105) == nil)
    }

    @Test func `lists a peer's change before it is stored, and only once`() {
        var log = ActivityChangeLog(after: 0)
        let write = Self.write(1, "a", at: 1)
        var isTold = log.expect(write)
        #expect(isTold)
        #expect(Self.told(log, after: 0) == ["1 a"])
        log.keep([Record(write)], expected: [write.identity])
        #expect(log.number == 1, "the store took what was told")
        isTold = log.expect(write)
        #expect(!isTold, "another peer sends it, too")
        let deletion = Self.write(1, nil, at: 2)
        isTold = log.expect(deletion)
        #expect(isTold)
        #expect(Self.told(log, after: 1) == ["gone"])
    }

    @Test func `lists a correction if the store refuses a change or has a later one`() {
        var log = ActivityChangeLog(after: 0)
        let (first, second) = (Self.write(1, "a", at: 1), Self.write(1, "b", at: 2))
        _ = log.expect(first)
        log.refuse([first.identity])
        #expect(Self.told(log, after: 1) == ["unread"])
        // It comes again, and this time it is stored, but a later change was there already.
        _ = log.expect(first)
        log.keep([], expected: [first.identity])
        #expect(Self.told(log, after: 3) == ["unread"])
        _ = log.expect(first)
        log.keep([Record(second)], expected: [first.identity])
        #expect(Self.told(log, after: 5) == ["1 b"])
    }

    @Test func `does not return to an earlier state while a later change is being stored`() {
        var log = ActivityChangeLog(after: 0)
        let (first, second) = (Self.write(1, "a", at: 1), Self.write(1, "b", at: 2))
        _ = log.expect(first)
        _ = log.expect(second)
        log.keep([Record(first)], expected: [first.identity])
        #expect(Self.told(log, after: 0) == ["1 b"] && log.number == 2)
        log.keep([Record(merging: [first, second])], expected: [first.identity])
        #expect(log.number == 2)
    }

    @Test func `is limited in activities and in bytes`() {
        var log = ActivityChangeLog(after: 0)
        for instance in 0...ActivityChangeLog.most {
            log.recordState(Self.name(instance).identity, .init(Self.name(instance), Self.activity("x")))
        }
        #expect(Self.told(log, after: 0) == nil)
        #expect(Self.told(log, after: 1)?.count == ActivityChangeLog.most)
        // An activity that changes again and again needs no more room.
        for _ in 0..<10_000 { log.recordState(Self.name(1).identity, .gone) }
        #expect(Self.told(log, after: 1)?.count == ActivityChangeLog.most)
        log = ActivityChangeLog(after: 0)
        for instance in 0..<20 {
            let large = Self.activity("x", payload: 100 << 10)
            log.recordState(Self.name(instance).identity, .init(Self.name(instance), large))
        }
        let told = Self.told(log, after: 0) ?? []
        #expect(told.count == 20 && told.last == "19 x" && told.first == "unread")
        #expect(told.count { $0 != "unread" } == 10)
    }
}
