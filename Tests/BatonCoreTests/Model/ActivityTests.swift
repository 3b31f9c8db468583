import BatonCore
import Support
import Testing

@Suite struct `Activities` {
    @Test(arguments: Seeds.first(10))
    func `come back from the fields of their record`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let activity = generator.activity()
            #expect(try Activity(activity.fields) == activity)
        }
    }

    @Test func `keep the fields that a newer version added`() throws {
        var generator = SeededGenerator(seed: 1)
        var fields = generator.activity().fields
        fields[.number(1000)] = [0x01]
        fields[.custom([0x78])] = [0x02]
        var activity = try Activity(fields)
        #expect(activity.fields == fields)
        activity.title = "another"
        #expect(activity.fields[.number(1000)] == [0x01])
    }

    @Test func `need a type`() {
        #expect(throws: CBORError(.missingField(1), at: 0)) { try Activity(Fields()) }
    }

    @Test func `expire at their time and not before`() {
        var activity = Activity(type: "org.example.read", started: WallTime(milliseconds: 0))
        #expect(!activity.isExpired(at: WallTime(milliseconds: .max)))
        activity.expiration = WallTime(milliseconds: 1000)
        #expect(!activity.isExpired(at: WallTime(milliseconds: 999)))
        #expect(activity.isExpired(at: WallTime(milliseconds: 1000)))
    }

    @Test(arguments: Seeds.first(5))
    func `have a name that their key spells`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let name = ActivityName(
            device: generator.identifier(), app: generator.text(), instance: generator.text())
        #expect(try ActivityName(name.key) == name)
        #expect(throws: CBORError.self) {
            try ActivityName(RecordKey(kind: .currentActivity, name: [0x01]))
        }
    }

    @Test(arguments: Seeds.first(5))
    func `devices come back from their record, too`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let device = Device(
            identifier: generator.identifier(), name: generator.text(),
            admitted: WallTime(milliseconds: generator.integer()),
            inviter: generator.chance(50) ? generator.identifier() : nil)
        #expect(try Device(key: Device.key(device.identifier), fields: device.fields) == device)
    }
}
