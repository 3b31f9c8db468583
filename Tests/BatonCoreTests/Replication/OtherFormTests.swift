import BatonCore
import Support
import Testing

/// Tests of a newer version's records, where this version looks for something that it knows.
@Suite struct `A record in another form than this version writes` {
    @Test func `is readable if it is a quarantine record with additional fields`() throws {
        let write = QuarantinedWrite(
            dot: Write.told(.told(), at: 4, .deletion).dot,
            target: QuarantinedWrite.Target(identity: RecordKey.told().identity, incarnation: .told(4)),
            reason: "on purpose", peer: DeviceIdentifier(high: 4, low: 4))
        let encoded = write.encoded
        #expect(try QuarantinedWrite(encoded: encoded) == write)
        // A map of ten fields becomes one of eleven.
        let more = [encoded[0] + 1] + encoded.dropFirst() + [0x0b, 0x82, 0x01, 0x02]
        #expect(encoded[0] == 0xaa)
        #expect(try QuarantinedWrite(encoded: more) == write)
    }

    @Test func `prevents no collection of clears if it is a client state with an unknown name`() throws {
        let name = ClientStateName(app: "a", index: "i")
        let clear = Write.clear(.app("a"), at: 9)
        let dots = { (identity: RecordIdentity) in identity == clear.identity ? clear.dot : nil }
        let state = try ClientState([1], covers: VersionVector(), changed: WallTime(milliseconds: 0))
        let known = Record(.told(name.key, at: 3, .full(state.content(name))))
        #expect(known.unseenClears(Lineage(), dots) == [clear.identity])
        let key = RecordKey(kind: .clientState, parts: 1) { $0.unsigned(1) }
        let unknown = Record(.told(key, at: 3, .full(state.content(name))))
        #expect(unknown.isThere && unknown.unseenClears(Lineage(), dots) == [])
    }

    @Test func `is not read as a clear if it is of another kind, whatever its name`() {
        let clear = Write.clear(.app("a"), at: 9)
        #expect(Record(clear).clearDot == clear.dot)
        let item = Write.told(
            RecordKey(kind: .item, name: Scope.app("a").clearKey(in: .index).name), at: 9, .full())
        #expect(Record(item).clearDot == nil)
        #expect(Record(.told(.told(), at: 9, .deletion)).clearDot == nil)
    }
}
