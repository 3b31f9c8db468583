import BatonCore
import Support
import Testing

@Suite struct `Client states` {
    private let name = ClientStateName(app: "a", index: "i")
    private let now = WallTime(milliseconds: 5)
    private let index = Origin(life: Life(high: 1, low: 1), lane: .index)
    private let activities = Origin(life: Life(high: 1, low: 1), lane: .activities)

    @Test(arguments: Seeds.first(10))
    func `survive encoding as a record`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let state = try generator.clientState()
            #expect(try ClientState(state.content(name).fields) == state)
        }
    }

    @Test func `are in the scope of their index`() throws {
        let state = try ClientState([1], covers: VersionVector(), changed: now)
        #expect(state.content(name).scope == .items(app: "a", index: "i"))
        #expect(name.key.kind == .clientState)
    }

    @Test func `have at most 250 bytes, when they are made and when they are read`() throws {
        let most = [UInt8](repeating: 7, count: 250)
        let state = try ClientState(most, covers: VersionVector(), changed: now)
        #expect(try ClientState(state.fields).state == most)
        #expect(throws: ClientState.TooLong(count: 251)) {
            try ClientState(most + [7], covers: VersionVector(), changed: now)
        }
        var fields = state.fields
        fields.set(1) { $0.data(most + [7]) }
        #expect(throws: CBORError(.outOfRange, at: 1)) { try ClientState(fields) }
    }

    @Test func `cover only the index lane`() throws {
        let all = VersionVector([(index, 3 as UInt64), (activities, 4 as UInt64)])
        var state = try ClientState([], covers: all, changed: now)
        #expect(state.covers == VersionVector([(index, 3 as UInt64)]))
        state.unknown = Fields { $0.field(30) { $0.null() } }
        var fields = state.fields
        fields.set(2) { all.encode(to: &$0) }
        #expect(throws: CBORError.self) { try ClientState(fields) }
    }

    @Test(
        arguments: [(1, "6161"), (1, "f6"), (2, "f6"), (2, "a0"), (2, "8101"), (3, "f6"), (3, "6161")]
            as [(UInt64, String)])
    func `with a missing or malformed field are refused`(_ number: UInt64, _ form: String) throws {
        var fields = try ClientState([1], covers: VersionVector(), changed: now).fields
        fields[.number(number)] = [UInt8](hex: form)
        #expect(throws: CBORError.self) { try ClientState(fields) }
        fields[.number(number)] = nil
        #expect(throws: CBORError(.missingField(number), at: 0)) { try ClientState(fields) }
    }
}
