import BatonCore
import Support
import Testing

@Suite struct `Focuses` {
    private static let created = WallTime(milliseconds: 1_000_000)
    private static let notes = FocusFilter(
        app: "org.example.notes", intent: "ShowFolder", values: ["folder": ["Work"]])
    private static let mail = FocusFilter(
        app: "org.example.mail", intent: "ShowAccounts", values: ["accounts": ["a", "b"], "none": []])

    /// The record after writes by two devices.
    private func record(_ writes: [Write]) -> Record {
        var record = Record(FocusName("work").key.identity)
        for write in writes { _ = record.merge(write) }
        return record
    }

    private func write(_ device: UInt64, _ time: UInt64, _ action: Write.Action) -> Write {
        let life = Life(high: device, low: 1)
        return Write(
            dot: Dot(origin: Origin(life: life, lane: .activities), sequence: time),
            key: FocusName("work").key,
            stamp: Stamp(time: HybridTime(value: time), life: life), action: action)
    }

    @Test func `are read from the fields that they write`() throws {
        let focus = Focus("work", created: Self.created, filters: [Self.notes, Self.mail])
        let read = try #require(Focus(record([write(1, 1, .full(focus.content))])))
        #expect(read == focus && read.filters(of: "org.example.mail") == [Self.mail])
    }

    @Test func `keep both changes if two devices change different filters at the same time`() throws {
        let begun = write(1, 1, .full(Focus("work", created: Self.created).content))
        let first = write(1, 2, .partial(of: begun.stamp, Focus.change([Self.notes], isRemoved: false)))
        let second = write(2, 2, .partial(of: begun.stamp, Focus.change([Self.mail], isRemoved: false)))
        for writes in [[begun, first, second], [second, first, begun]] {
            #expect(try #require(Focus(record(writes))).filters.count == 2)
        }
        let removal = write(2, 3, .partial(of: begun.stamp, Focus.change([Self.notes], isRemoved: true)))
        #expect(Focus(record([removal, first, begun, second]))?.filters == [Self.mail])
    }

    @Test func `count as off once they are deleted`() {
        let settings = FocusSettings([], last: PresentFocus("work", changed: Self.created))
        #expect(settings.present == nil)
        let present = FocusSettings(
            [Focus("work", created: Self.created)], last: PresentFocus("work", changed: Self.created))
        #expect(present.present?.name == "work")
    }

    @Test func `have the same present focus whichever order switches arrive in`() throws {
        let key = PresentFocusName().key
        let switches = [("work", 1, 5), (nil, 2, 6)].map { name, device, time in
            let life = Life(high: UInt64(device), low: 1)
            return Write(
                dot: Dot(origin: Origin(life: life, lane: .activities), sequence: 1), key: key,
                stamp: Stamp(time: HybridTime(value: UInt64(time)), life: life),
                action: .full(PresentFocus(name, changed: Self.created).content))
        }
        for writes in [switches, switches.reversed()] {
            var record = Record(key.identity)
            for write in writes { _ = record.merge(write) }
            #expect(PresentFocus(record) == PresentFocus(nil, changed: Self.created))
        }
    }

    @Test func `can't have names that the command takes for something else`() {
        for name in ["off", "list", "", "-x", "a\nb", String(repeating: "x", count: 65)] {
            #expect(!FocusName(name).isAllowed, "\(name)")
        }
        #expect(FocusName("Büro 2").isAllowed)
        #expect(
            !FocusFilter(app: "a\nb", intent: "c").isAllowed && !FocusFilter(app: "", intent: "c").isAllowed)
        let large = ["x": [String(repeating: "y", count: FocusFilter.bytesMost)]]
        #expect(!FocusFilter(app: "a", intent: "b", values: large).isAllowed)
    }
}
