import BatonCore
import Testing

@Suite("The last contacts with other devices") struct LastContactsTests {
    private static let device = Surroundings.other
    private var contacts = LastContacts([])

    private static func time(_ seconds: Int64) -> WallTime { WallTime(milliseconds: seconds * 1000) }

    private static func hello(_ build: String, clock: WallTime? = nil) -> Hello {
        var hello = Hello(
            account: AccountIdentifier(high: 4, low: 4), device: device, name: "far", completeDigest: [],
            port: nil, build: build)
        hello.clock = clock
        return hello
    }

    private static func stored(_ seconds: Int64, _ version: String, clockLead: Int64? = nil) -> LocalNote {
        LastContact(seen: time(seconds), version: version, clockLead: clockLead).note(for: device)
    }

    /// The notes that are to be stored.
    private mutating func notes() -> [LocalNote] {
        var notes: [LocalNote] = []
        while let effect = contacts.nextEffect() {
            if case .keep(let note) = effect { notes.append(note) }
        }
        return notes
    }

    @Test mutating func `stores the time when a device connects and when it disconnects`() {
        contacts.handleHello(Self.hello("1.2", clock: Self.time(103)), of: Self.device, at: Self.time(100))
        #expect(notes() == [], "its session may never open")
        contacts.recordConnected([Self.device], at: Self.time(101))
        #expect(notes() == [Self.stored(101, "1.2", clockLead: 3000)])
        contacts.recordConnected([Self.device], at: Self.time(102))
        #expect(notes() == [], "an idle connection writes nothing")
        contacts.recordConnected([], at: Self.time(500))
        #expect(notes() == [Self.stored(500, "1.2", clockLead: 3000)])
        #expect(contacts[Self.device]?.seen == Self.time(500))
    }

    @Test mutating func `a device that no longer answers was last seen when its last message came`() {
        contacts.handleHello(Self.hello("1.2"), of: Self.device, at: Self.time(100))
        contacts.recordConnected([Self.device], at: Self.time(101))
        _ = notes()
        contacts.recordConnected([], at: Self.time(500), lastSign: [Self.device: Self.time(491)])
        #expect(contacts[Self.device]?.seen == Self.time(491))
        #expect(notes() == [Self.stored(491, "1.2")])
        contacts.recordConnected([Self.device], at: Self.time(600), lastSign: [Self.device: Self.time(491)])
        #expect(contacts[Self.device]?.seen == Self.time(600), "another session with it is open")
    }

    @Test
    mutating func `a new session stores the peer's newer version even if an earlier session is still open`() {
        contacts.handleHello(Self.hello("1.2"), of: Self.device, at: Self.time(100))
        contacts.recordConnected([Self.device], at: Self.time(101))
        _ = notes()
        contacts.handleHello(Self.hello("1.3"), of: Self.device, at: Self.time(200))
        contacts.recordConnected([Self.device], at: Self.time(201))
        #expect(notes() == [Self.stored(201, "1.3")])
    }

    @Test mutating func `stored notes are read when the process begins, and unreadable notes are skipped`() {
        let unreadable = [
            LocalNote(space: .lastContact, name: Surroundings.own.bytes, value: [0xff]),
            LocalNote(space: .lastContact, name: [1], value: Self.stored(7, "1.0").value),
        ]
        contacts = LastContacts(unreadable + [Self.stored(7, "1.0", clockLead: -5)])
        #expect(
            contacts[Self.device] == LastContact(seen: Self.time(7), version: "1.0", clockLead: -5))
        #expect(contacts[Surroundings.own] == nil)
        // A device that was never met has nothing to store.
        contacts.recordConnected([Surroundings.own], at: Self.time(9))
        #expect(notes() == [])
    }
}
