import BatonCore
import Support
import Testing

@Suite struct `Names of records` {
    /// Checks that a name comes back from its key, and from no key of another kind or form.
    private func check<Name: RecordName>(_ name: Name) throws {
        #expect(try Name(name.key) == name)
        #expect(name.key.kind == Name.kind)
        let other = RecordKey(kind: RecordKind(rawValue: 99), name: name.key.name)
        #expect(throws: CBORError.self) { try Name(other) }
        for bytes in [[0x01], [0x80], name.key.name + [0x00], Array(name.key.name.dropLast())] {
            #expect(throws: CBORError.self) { try Name(RecordKey(kind: Name.kind, name: bytes)) }
        }
    }

    @Test(arguments: Seeds.first(10))
    func `survive encoding in keys`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            try check(
                ActivityName(
                    device: generator.identifier(), app: generator.text(), instance: generator.text()))
            try check(SavedActivityName(app: generator.text(), identifier: generator.text()))
            try check(generator.itemName())
            try check(ClientStateName(app: generator.text(), index: generator.text()))
            try check(DeviceName(generator.identifier()))
            try check(EngagementName(counting: generator.itemName().key))
            try check(
                EngagementName(
                    counting: RecordKey(kind: RecordKind(rawValue: 20), name: generator.unknownValue())))
        }
    }

    @Test func `for activities name the device, even if the rest of the key can't be read`() throws {
        let name = ActivityName(device: DeviceIdentifier(high: 1, low: 2), app: "a", instance: "i")
        #expect(ActivityName.device(in: name.key) == name.device)
        let longer = RecordKey(kind: ActivityName.kind, name: name.key.name + [0xff])
        #expect(ActivityName.device(in: longer) == name.device)
        #expect(ActivityName.device(in: RecordKey(kind: ActivityName.kind, name: [0x83, 0x01])) == nil)
        #expect(
            ActivityName.device(in: RecordKey(kind: RecordKind(rawValue: 99), name: name.key.name)) == nil)
    }

    @Test func `for saved activities know whether they fit a key`() {
        for count in [0, 23, 24, 255, 256] + Array(4000...4100) {
            let text = String(repeating: "a", count: count)
            let name = SavedActivityName(app: "org.example", identifier: text)
            #expect(name.hasRoom == (name.key.name.count <= RecordKey.nameBytes))
            let unnamed = SavedActivityName(app: text, identifier: String(repeating: "~", count: 27))
            #expect(SavedActivityName.hasRoom(for: text) == unnamed.hasRoom)
        }
    }

    @Test func `that are canonically equivalent are different`() {
        let (one, other) = (
            ItemName(app: "a", index: "i", identifier: "é"),
            ItemName(app: "a", index: "i", identifier: "e\u{301}")
        )
        #expect(one != other && Set([one, other]).count == 2)
        #expect(one == ItemName(app: "a", index: "i", identifier: "é"))
    }

    @Test func `for engagements contain a hash of the thing's key instead of its name`() throws {
        let thing = ItemName(app: "a", index: "i", identifier: "1").key
        let name = EngagementName(counting: thing).key.name
        #expect(name == [0x82, 0x09, 0x50] + thing.identity.hash.bytes)
        #expect(try EngagementName(encoded: name).thing == thing.identity)
        #expect(throws: CBORError.self) { try EngagementName(encoded: [0x82, 0x09] + thing.name) }
    }
}
