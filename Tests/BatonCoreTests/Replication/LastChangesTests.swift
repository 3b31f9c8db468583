import BatonCore
import Testing

/// Tests of the notes about changes that peers send.
@Suite struct `The last change of a device` {
    private static let own = DeviceIdentifier(high: 1 << 32, low: 0)
    private static let laptop = DeviceIdentifier(high: 2 << 32, low: 0)
    private static let phone = DeviceIdentifier(high: 3 << 32, low: 0)
    private static let now = WallTime(milliseconds: 1_700_000_000_000)

    /// Returns a write to a record of that kind, in a life of the device that began at that time.
    private static func write(
        _ device: DeviceIdentifier, _ milliseconds: UInt64, _ kind: RecordKind = .item, name: UInt8 = 1,
        deletes: Bool = false
    ) -> Write {
        let life = Life(after: .zero, of: device, random: 5)
        let stamp = Stamp(time: HybridTime(value: milliseconds << 16), life: life)
        let key = RecordKey(kind: kind, parts: 1) { $0.unsigned(UInt64(name)) }
        return Write(
            dot: Dot(origin: Origin(life: life, lane: kind.lane), sequence: milliseconds), key: key,
            stamp: stamp, action: deletes ? .deletion : .full(Write.Content(fields: Fields())))
    }

    private static func take(
        _ changes: inout LastChanges, _ writes: [Write], from sender: DeviceIdentifier = phone,
        at time: WallTime = now, knowing devices: [DeviceIdentifier] = []
    ) -> LastChanges.Taken {
        changes.receiveWrites(writes, of: writes[0].identity.kind.lane, from: sender, at: time) { devices }
    }

    @Test func `is the change with the largest stamp, with its sender and time, whatever arrives later`() {
        var changes = LastChanges(of: Self.own)
        #expect(changes.change(of: Self.laptop) == nil)
        let writes = [Self.write(Self.laptop, 9, name: 2), Self.write(Self.laptop, 7)]
        #expect(Self.take(&changes, writes).authorNotes.count == 1)
        let later = Self.now.advanced(by: .seconds(60))
        for again in [writes, [Self.write(Self.laptop, 8)]] {
            #expect(Self.take(&changes, again, from: Self.laptop, at: later).authorNotes.isEmpty)
        }
        let last = changes.change(of: Self.laptop)
        #expect(last?.identity == writes[0].identity && last?.sender == Self.phone)
        #expect(last?.made == WallTime(milliseconds: 9) && last?.taken == Self.now)
        #expect(last?.isDeletion == false)
        let deletion = [Self.write(Self.laptop, 10, name: 3, deletes: true)]
        #expect(Self.take(&changes, deletion, from: Self.laptop, at: later).authorNotes.count == 1)
        let newest = changes.change(of: Self.laptop)
        #expect(newest?.isDeletion == true && newest?.sender == Self.laptop && newest?.taken == later)
        #expect(changes.change(of: Self.phone) == nil)
    }

    @Test func `is restored from the notes of both lanes, and the later one counts`() {
        var changes = LastChanges(of: Self.own)
        var notes: [LocalNote] = []
        for (time, kind) in [(7, RecordKind.item), (9, .savedActivity), (8, .item)] {
            notes += Self.take(&changes, [Self.write(Self.laptop, UInt64(time), kind)]).authorNotes
        }
        #expect(Set(notes.map(\.space)) == [.activitiesChange, .indexChange])
        // The newest note of each lane stays.
        let read = LastChanges(of: Self.own, Array(notes.dropFirst()))
        #expect(read.change(of: Self.laptop) == changes.change(of: Self.laptop))
        #expect(read.change(of: Self.laptop)?.identity.kind == .savedActivity)
        let spoiled = notes.map { LocalNote(space: $0.space, name: $0.name, value: [0xff]) }
        #expect(LastChanges(of: Self.own, spoiled).change(of: Self.laptop) == nil)
    }

    @Test func `is neither a change by this device nor a write that begins a life`() {
        var changes = LastChanges(of: Self.own)
        let nothing = [
            Self.write(Self.own, 9), Self.write(Self.laptop, 10, .indexSuccession),
        ]
        #expect(Self.take(&changes, nothing).authorNotes.isEmpty)
        #expect(changes.change(of: Self.own) == nil && changes.change(of: Self.laptop) == nil)
    }

    @Test func `is the previous change if storing a change failed`() {
        var changes = LastChanges(of: Self.own)
        _ = Self.take(&changes, [Self.write(Self.laptop, 7)])
        let before = changes.change(of: Self.laptop)
        let (lost, kept) = (
            Self.take(&changes, [Self.write(Self.laptop, 8)]),
            Self.take(&changes, [Self.write(Self.phone, 9)])
        )
        changes.giveBack(lost)
        #expect(changes.change(of: Self.laptop) == before)
        #expect(kept.authorNotes.count == 1 && changes.change(of: Self.phone) != nil)
        // A later change stays.
        let early = Self.take(&changes, [Self.write(Self.laptop, 10)])
        _ = Self.take(&changes, [Self.write(Self.laptop, 11)])
        changes.giveBack(early)
        #expect(changes.change(of: Self.laptop)?.made == WallTime(milliseconds: 11))
    }

    @Test func `is stored for any known device, even if a peer invents lives`() {
        var changes = LastChanges(of: Self.own)
        let madeUp = (10..<3000).map { Self.write(DeviceIdentifier(high: $0 << 32, low: 0), 7) }
        #expect(Self.take(&changes, madeUp).authorNotes.count == 1024)
        #expect(Self.take(&changes, [Self.write(Self.laptop, 7)]).authorNotes.isEmpty)
        let known = Self.take(&changes, [Self.write(Self.laptop, 7)], knowing: [Self.phone, Self.laptop])
        #expect(known.authorNotes.count == 1 && changes.change(of: Self.laptop) != nil)
        // A device that is remembered stays so, whoever made the change.
        let strangers = (UInt64(10)..<3000).map { DeviceIdentifier(high: $0 << 32, low: 0) }
        guard let stranger = strangers.first(where: { changes.change(of: $0) != nil }) else {
            Issue.record("nothing of a stranger is remembered")
            return
        }
        #expect(Self.take(&changes, [Self.write(stranger, 8)]).authorNotes.count == 1)
    }

    @Test func `changes under invented devices are counted for the device that sent them`() {
        var changes = LastChanges(of: Self.own)
        var notes: [LocalNote] = []
        #expect(changes.received(from: Self.phone) == nil)
        for batch in UInt64(0)..<10 {
            let madeUp = (0..<300).map { place in
                Self.write(DeviceIdentifier(high: (10 + 300 * batch + place) << 32, low: 0), 7)
            }
            let time = Self.now.advanced(by: .seconds(Int(batch)))
            notes += Self.take(&changes, madeUp, at: time).notes
        }
        let later = Self.now.advanced(by: .seconds(60))
        notes += Self.take(&changes, [Self.write(Self.laptop, 7, .savedActivity)], at: later).notes
        #expect(changes.received(from: Self.phone) == ReceivedChanges(count: 3001, latest: later))
        #expect(changes.change(of: Self.phone) == nil && changes.received(from: Self.laptop) == nil)
        // The last note of each name stays.
        let read = LastChanges(of: Self.own, notes)
        #expect(read.received(from: Self.phone) == changes.received(from: Self.phone))
        let lost = Self.take(&changes, [Self.write(Self.laptop, 8)])
        #expect(changes.received(from: Self.phone)?.count == 3002)
        changes.giveBack(lost)
        #expect(changes.received(from: Self.phone)?.count == 3001)
    }
}

extension LastChanges.Taken {
    /// The notes about the authors of changes, whose names are shorter than that of the sender.
    fileprivate var authorNotes: [LocalNote] { notes.filter { $0.name.count < 16 } }
}
