import BatonCore
import Support
import Testing

@Suite struct `An unreadable record` {
    private static let life = Life(bytes: [UInt8](repeating: 0x11, count: 16)[...])
    private static let hash = "50" + String(repeating: "aa", count: 16)
    /// A deletion that any receiver accepts.
    private static let good = "88 00 07 00 08 \(hash) 05 00 01"

    /// Returns the frame of a batch of lane 0 with these writes, one life, base time 5, and one scope in its tables.
    private static func frame(_ writes: [String]) -> Frame {
        let head = "a7 01 01 02 00 04 05 05 81 50" + String(repeating: "11", count: 16) + "06 81 80 07"
        return Frame(
            kind: .batch, body: [UInt8](hex: head + "8\(writes.count)" + writes.joined() + "08 40"))
    }

    private static func batch(_ writes: [String]) throws -> Batch {
        guard case .batch(let batch) = try PeerMessage(frame(writes)) else {
            throw CloseReason(.unexpected, "no batch")
        }
        return batch
    }

    /// The defects, and the writes, of which the last one has the defect.
    private static let forms: [(String, String)] = [
        ("There is no action 4.", "81 8b 00 01 00 08 00 41 01 05 00 04 00 a0"),
        ("A deletion has eight parts, not nine.", "81 89 00 01 00 08 \(hash) 05 00 01 00"),
        ("A deletion names its record by the hash.", "81 89 00 01 00 08 00 41 01 05 00 01"),
        ("Only a deletion names its record by the hash.", "81 8a 00 01 00 08 \(hash) 05 00 00 00 a0"),
        ("A time of 2^63.", "81 88 00 01 00 08 \(hash) 1b7ffffffffffffffb 00 01"),
        ("A name is one value.", "81 8b 00 01 00 08 00 42 0101 05 00 00 00 a0"),
        ("There is no name before the first.", "81 8b 00 01 00 08 01 41 01 05 00 00 00 a0"),
        (
            "The second name begins as the first does.",
            "82 8b 00 01 00 08 00 42 6161 00 00 00 00 a0 8b 00 01 01 08 00 42 6162 00 00 00 00 a0"
        ),
        ("Field 2 stands before field 1.", "81 8b 00 01 00 08 00 41 01 00 00 00 00 a2 02 00 01 00"),
        ("A field name is a number, a text or a part.", "81 8b 00 01 00 08 00 41 01 00 00 00 00 a1 41aa 00"),
        ("A part is a number and a device.", "81 8b 00 01 00 08 00 41 01 00 00 00 00 a1 8101 00"),
    ]

    /// Returns the single writes in a list of one or two.
    private static func writes(_ list: String) -> [String] {
        let bytes = [UInt8](hex: list)
        var reader = CBORReader(bytes)
        guard let count = try? reader.arrayCount(upTo: 2) else { return [] }
        guard count == 2, let first = try? reader.encoded() else { return [bytes.dropFirst().map { $0 }.hex] }
        return [Array(first).hex, Array(bytes.dropFirst(1 + first.count)).hex]
    }

    @Test(arguments: forms.indices)
    func `is quarantined, and the other records of its batch are accepted`(_ number: Int) throws {
        let (text, list) = Self.forms[number]
        let writes = Self.writes(list)
        let batch = try Self.batch(writes + [Self.good])
        #expect(batch.quarantined.count == 1, "\(text)")
        #expect(
            batch.quarantined.first?.dot.sequence == 1
                && batch.quarantined.first?.dot.origin.life == Self.life)
        #expect(batch.writes.count == writes.count && batch.writes.last?.dot.sequence == 7)
    }

    @Test func `is identified by its record and its stamp if they can be read`() throws {
        // Field 2 comes before field 1; a partial write of time 6 that changes the incarnation of time 5.
        let unordered = "8c 00 01 00 08 00 41 01 01 00 02 00 00 a2 02 00 01 00"
        let key = RecordKey(kind: .currentActivity, name: [1])
        let stamp = Stamp(time: HybridTime(value: 5), life: try #require(Self.life))
        #expect(
            try Self.batch([unordered]).quarantined.first?.target
                == QuarantinedWrite.Target(identity: key.identity, incarnation: stamp))
        // A name of two values is that of no record that anyone else will write. There is no action 4, so its target is
        // unknown, and its record is not.
        let action = try Self.batch(["8a 00 01 00 08 00 41 01 05 00 04 a0"]).quarantined.first
        #expect(action?.identity == key.identity && action?.target == nil)
    }

    @Test func `does not prevent reading the next record, whose name shares a prefix`() throws {
        let bad = "8b 00 01 00 08 00 43 626162 00 00 00 00 a2 02 00 01 00"
        let next = "8b 00 02 00 08 02 41 63 00 00 00 00 a0"
        let batch = try Self.batch([bad, next])
        #expect(batch.quarantined.count == 1)
        #expect(batch.writes.map(\.name) == [[0x62, 0x61, 0x63]])
        // If the name itself is unreadable, a name that shares its prefix is, too; the one after that is readable.
        let lost = "8b 00 01 00 08 00 01 00 00 00 00 a0"
        let whole = "8b 00 03 00 08 00 43 626164 00 00 00 00 a0"
        let rest = try Self.batch([lost, next, whole])
        #expect(rest.quarantined.map(\.dot.sequence) == [1, 2] && rest.writes.map(\.dot.sequence) == [3])
    }

    @Test
    func `ends the session if its identity or its end can't be read, or its tables are incomplete`() {
        for broken in [
            "8b 01 01 00 08 00 41 01 05 00 00 00 a0", "8b 00 00 00 08 00 41 01 05 00 00 00 a0", "80", "00",
            "8b 00 01 00 09 00 41 01 05 00 00 00 a0", "8b 00 01 00 08 00 41 01 05 00 00 01 a0",
            "8b 00 01 00 08 00 41 01 05 09 00 00 a0", "8b 00 01 00 08 00 41 01 05 00 00 00 bf",
        ] {
            #expect(throws: CloseReason.self, "\(broken)") { try Self.batch([broken, Self.good]) }
        }
    }

    @Test func `survives storage in a quarantine record unchanged`() throws {
        let dot = Dot(
            origin: Origin(life: Life(high: 1, low: 2), lane: .index), sequence: 1 << 62, place: .max)
        let target = QuarantinedWrite.Target(
            identity: RecordIdentity(kind: .engagement, hash: KeyHash(high: 5, low: 6)),
            incarnation: Stamp(time: .largest, life: Life(high: 3, low: 4)))
        for write in [
            QuarantinedWrite(
                dot: dot, target: target, reason: "why", peer: DeviceIdentifier(high: 7, low: 8)),
            QuarantinedWrite(dot: dot, of: target.identity, target: nil, reason: "why"),
            QuarantinedWrite(dot: dot, target: nil, reason: ""),
        ] {
            #expect(try QuarantinedWrite(encoded: write.encoded) == write)
        }
    }
}
