import BatonCore
import BatonNode
import Testing

@Suite struct `Reindexing requests` {
    private static let notes = ClientStateName(app: "org.example.notes", index: "main")
    private static let mail = ClientStateName(app: "org.example.mail", index: "main")

    @Test(arguments: [
        ReindexRequest(.all, of: nil), ReindexRequest(.all(except: [notes, mail]), of: nil),
        ReindexRequest(.all, of: notes), ReindexRequest(.items(["a", "ä", ""]), of: mail),
    ])
    func `a request survives storage`(_ request: ReindexRequest) {
        #expect(ReindexRequest(request.note) == request)
    }

    @Test func `a request for everything hides the client state until the app starts over`() {
        for everyone in [true, false] {
            var requests = ReindexRequests([ReindexRequest(.all, of: everyone ? nil : Self.notes).note])
            #expect(requests.hidesState(of: Self.notes) && requests.hidesState(of: Self.mail) == everyone)
            guard let note = requests.beginAnew(Self.notes) else {
                Issue.record("nothing begins anew")
                continue
            }
            #expect(note == requests.request(for: Self.notes)?.note && ReindexRequest(note).isBegunAnew)
            #expect(!requests.hidesState(of: Self.notes) && requests.hidesState(of: Self.mail) == everyone)
            #expect(requests.request(for: Self.notes)?.extent == .all)
            #expect(requests.beginAnew(Self.notes) == nil)
            _ = requests.add(ReindexRequest(.items(["a"]), of: Self.notes))
            #expect(!requests.hidesState(of: Self.notes))
            _ = requests.add(ReindexRequest(.all, of: Self.notes))
            #expect(requests.hidesState(of: Self.notes))
        }
    }

    @Test func `an unreadable stored request counts as a request for everything`() {
        let note = LocalNote(space: .reindex, name: [0xff], value: [1, 2])
        #expect(ReindexRequest(note) == ReindexRequest(.all, of: nil))
    }

    @Test func `a request is kept until all of its items are acknowledged`() {
        var requests = ReindexRequests([ReindexRequest(.items(["a", "b"]), of: Self.notes).note])
        #expect(requests.request(for: Self.mail) == nil)
        let rest = requests.acknowledge(ReindexRequest(.items(["a"]), of: Self.notes))
        #expect(rest == [ReindexRequest(.items(["b"]), of: Self.notes).note])
        let end = requests.acknowledge(ReindexRequest(.all, of: Self.notes))
        #expect(end == [LocalNote(space: .reindex, name: Self.notes.key.name, value: nil)])
        #expect(requests.isEmpty && requests.request(for: Self.notes) == nil)
        #expect(requests.acknowledge(ReindexRequest(.all, of: Self.notes)).isEmpty)
    }

    @Test func `a request to all apps is acknowledged by each app once, and waits for unknown apps`() {
        var requests = ReindexRequests([
            ReindexRequest(.all, of: nil).note, ReindexRequest(.all, of: Self.notes).note,
        ])
        #expect(requests.known.map(\.index) == [Self.notes])
        #expect(requests.request(for: Self.mail) == ReindexRequest(.all, of: Self.mail))
        var kept: [[UInt8]: LocalNote] = [:]
        for index in [Self.mail, Self.notes] {
            for note in requests.acknowledge(ReindexRequest(.all, of: index)) { kept[note.name] = note }
        }
        #expect(kept[Self.notes.key.name]?.value == nil)
        let again = ReindexRequests(kept.values.filter { $0.value != nil })
        for requests in [requests, again] {
            #expect(requests.request(for: Self.mail) == nil && requests.request(for: Self.notes) == nil)
            #expect(requests.request(for: ClientStateName(app: "new", index: "main")) != nil)
        }
    }

    @Test func `a request for too many items becomes a request for everything`() {
        var request = ReindexRequest(.items(["a"]), of: Self.notes)
        request.join(.items(Set((0..<ReindexRequest.itemsMost).map { "\($0)" })))
        #expect(request.extent == .all)
        request.join(.items(["b"]))
        #expect(request.extent == .all)
    }
}
