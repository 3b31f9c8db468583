import BatonCore
import Support
import Testing

/// Tests of the new names that a journal gives to writes with earlier names.
@Suite struct `A journal that adopts lost writes` {
    private static let device = DeviceIdentifier(high: 7 << 32, low: 7)

    private static func life(_ begun: UInt64) -> Life {
        Life(after: HybridTime(value: begun << 16), of: device, random: begun)
    }

    private static func stray(_ sequence: UInt64, of life: Life) -> Write {
        Write(
            dot: Dot(origin: Origin(life: life, lane: .index), sequence: sequence),
            key: .told(sequence), stamp: .told(sequence, by: 3), action: .full(in: .none, [1: sequence]))
    }

    @Test func `gives new dots to writes of earlier lives, and skips writes of later lives`() throws {
        var journal = Journal(life: Self.life(20), latest: HybridTime(value: 9))
        let strays = [
            Self.stray(1, of: Self.life(10)), Self.stray(2, of: Self.life(30)),
            Self.stray(3, of: Self.life(20)), Self.stray(4, of: Self.life(11)),
        ]
        let adoption = journal.adoption(of: strays, in: .index)
        let transaction = try #require(adoption)
        let origin = Origin(life: Self.life(20), lane: .index)
        #expect(transaction.writes.map(\.dot.place) == [0, 1])
        #expect(transaction.writes.allSatisfy { $0.dot.origin == origin && $0.dot.sequence == 1 })
        #expect(transaction.writes.map(\.identity) == [strays[0].identity, strays[3].identity])
        #expect(transaction.writes.map(\.stamp) == [strays[0].stamp, strays[3].stamp])
        #expect(transaction.completing == VersionVector([(origin, 1 as UInt64)]))
        #expect(transaction.isOwn && transaction.clock == HybridTime(value: 9))
        #expect(journal.names.sequences == [.index: 1])
    }

    @Test func `makes no transaction, and leaves no gap in the numbers, if there is no write to adopt`() {
        var journal = Journal(life: Self.life(20), latest: .zero)
        for strays in [[], [Self.stray(2, of: Self.life(30))]] {
            let adoption = journal.adoption(of: strays, in: .index)
            #expect(adoption == nil)
        }
        #expect(journal.names.sequences.isEmpty)
        let draft = Journal.Draft(.full(in: .none), .told())
        let transaction = journal.transaction(.index, [draft], now: WallTime(milliseconds: 0))
        #expect(transaction?.writes.map(\.dot.sequence) == [1])
    }

    @Test func `counts no transaction as made in a lane in which it has made none`() {
        let names = JournalPosition(life: Self.life(20), sequences: [.index: 3])
        let dot = { (lane: Lane, sequence: UInt64) in
            Dot(origin: Origin(life: Self.life(20), lane: lane), sequence: sequence)
        }
        #expect(names.made(dot(.index, 3)) && !names.made(dot(.index, 4)))
        #expect(!names.made(dot(.activities, 1)))
        #expect(names.made(Dot(origin: Origin(life: Self.life(10), lane: .activities), sequence: 1)))
    }

    @Test func `has a mark for each lane, which is read only from its exact encoding`() {
        var seen: Set<[UInt8]> = []
        for lane in Lane.allCases {
            for (sequence, head) in [(0, 0), (1, 0), (0, 1), (.max, 258)] as [(UInt64, UInt64)] {
                let mark = LaneMark(
                    lane: lane, life: Self.life(20), order: ArrivalOrder(high: 4, low: 5),
                    sequence: sequence, head: Arrival(value: head))
                #expect(mark.encoded.count == LaneMark.byteCount && LaneMark(mark.encoded) == mark)
                #expect(seen.insert(mark.encoded).inserted)
                for bytes in [[], Array(mark.encoded.dropLast()), mark.encoded + [0]] {
                    #expect(LaneMark(bytes) == nil)
                }
            }
        }
    }
}
