import BatonCore
import Support
import Testing

@Suite struct `A clear` {
    private static let notes = Scope.items(app: "a", index: "i", domain: "notes")
    private static let work = Scope.items(app: "a", index: "i", domain: "notes.work")
    private static let archive = Scope.items(app: "a", index: "i", domain: "notesarchive")
    private let item = RecordKey.told()

    private func lane(_ writes: [Write]) -> InMemoryLane {
        var lane = InMemoryLane()
        for write in writes { lane.merge(write) }
        return lane
    }

    private func outcome(_ writes: [Write]) -> Record? { lane(writes).records[item.identity] }

    @Test func `leaves a tombstone with the stamp and dot of the write that it cleared`() throws {
        let full = Write.told(item, at: 1, .full(in: Self.notes))
        let record = try #require(outcome([full, .clear(Self.notes, at: 5)]))
        #expect(!record.isThere && record.name == nil && record.fields == nil)
        #expect(record.survivingWrites == [Write(deleting: item.identity, dot: full.dot, stamp: full.stamp)])
    }

    @Test func `is not undone by a later partial write to a cleared record`() throws {
        let (full, late) = (
            Write.told(item, at: 1, .full(in: Self.notes)),
            Write.told(item, at: 9, by: 3, .partial(of: 1, [2: 2]))
        )
        let clear = Write.clear(Self.notes, at: 5)
        for order in [[full, clear, late], [late, clear, full], [clear, late, full], [late, full, clear]] {
            let record = try #require(outcome(order))
            #expect(!record.isThere && record.survivingWrites.map(\.action) == [.deletion])
        }
    }

    @Test func `does not end records begun after it, in any order of arrival`() {
        let (full, clear) = (Write.told(item, at: 6, .full(in: Self.notes)), Write.clear(Self.notes, at: 5))
        for order in [[full, clear], [clear, full]] { #expect(outcome(order)?.fields == .told([1: 1])) }
        let again = outcome([.told(item, at: 1, .full(in: Self.notes, [2: 2])), clear, full])
        #expect(again?.fields == .told([1: 1]))
    }

    @Test(arguments: [
        (notes, notes, true), (notes, work, true), (notes, archive, false), (work, notes, false),
        (.items(app: "a", index: "i"), archive, true), (.app("a"), work, true),
        (.items(app: "a", index: "ii"), notes, false), (.app("aa"), notes, false),
        (.activities(app: "a"), notes, false), (.none, notes, false), (notes, .none, false),
        (.none, .none, false),
    ])
    func `covers its scope and every scope within it`(_ scope: Scope, _ other: Scope, _ isCovered: Bool) {
        let (full, clear) = (Write.told(item, at: 1, .full(in: other)), Write.clear(scope, at: 5))
        for order in [[full, clear], [clear, full]] { #expect(outcome(order)?.isThere == !isCovered) }
    }

    @Test func `survives any write that deletes or changes it`() {
        let (full, clear) = (Write.told(item, at: 1, .full(in: Self.notes)), Write.clear(Self.notes, at: 5))
        for action in [Write.Action.deletion, .partial(of: 8, by: 2, [1: 1]), .count(1, begun: 9)] {
            let other = Write.told(Self.notes.clearKey(in: .index), at: 9, by: 2, action)
            for order in [[full, clear, other], [other, clear, full], [full, other, clear]] {
                #expect(outcome(order)?.isThere == false)
            }
        }
    }

    @Test func `with an unknown name is stored and clears nothing`() {
        let key = RecordKey.told(kind: .indexClear)
        let lane = lane([.told(item, at: 1, .full(in: Self.notes)), .told(key, at: 5, .full())])
        #expect(lane.records[item.identity]?.isThere == true && lane.records[key.identity]?.clear == nil)
        #expect(lane.records[key.identity]?.fields == .told([1: 1]))
    }

    @Test func `applies to unknown kinds of records`() {
        let key = RecordKey.told(kind: .unknown)
        let writes: [Write] = [
            .told(key, at: 1, .full(in: Self.work)), .told(key, at: 2, .count(1, begun: 2, in: Self.work)),
        ]
        for order in [writes + [.clear(Self.notes, at: 5)], [.clear(Self.notes, at: 5)] + writes] {
            #expect(lane(order).records[key.identity]?.isThere == false)
        }
    }

    @Test func `that covers a counter keeps a partial write that waits for its full write`() {
        let waiting = Write.told(item, at: 5, .partial(of: 2, [1: 7]))
        let count = Write.told(item, at: 6, .count(1, begun: 6, in: Self.notes))
        let record = outcome([waiting, count, .clear(Self.notes, at: 8)])
        #expect(record?.survivingWrites == [waiting])
    }

    @Test func `distinguishes domains by bytes, and cuts them at every dot`() {
        #expect(
            Scope.items(app: "a", index: "i", domain: "x.\u{301}y").parts == [
                "a", "items", "i", "x", "\u{301}y",
            ])
        #expect(Scope.activities(app: "a", domain: "x..").parts == ["a", "activities", "x", "", ""])
        #expect(!Scope(["e\u{301}"]).isWithin(Scope(["é"])) && Scope(["é"]).isWithin(.none))
        #expect(Self.work.outward(Set(1...64)).map(\.parts.count) == [1, 2, 3, 4, 5])
    }

    @Test(arguments: Seeds.first(10))
    func `has its scope in its key, and a key with an invalid scope is refused`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let count = generator.number(0...4)
            let scope = Scope((0..<count).map { _ in generator.text() })
            #expect(try Scope(clear: scope.clearKey(in: .index)) == scope)
            #expect(try Scope(encoded: scope.encoded) == scope)
            for end in scope.encoded.indices.dropFirst()
            where !scope.outward(Set(1...64)).contains(where: { $0.encoded.count == end }) {
                #expect(throws: CBORError.self) { try Scope(encoded: Array(scope.encoded[..<end])) }
            }
        }
        let long = String(repeating: "a", count: Scope.bytesMost - 3)
        #expect(try Scope(clear: Scope([long]).clearKey(in: .index)).parts == [long])
        for name in ["a0", "01", "8101", "8180", "7f6161ff", "8261"] {
            #expect(throws: CBORError.self) {
                try Scope(clear: RecordKey(kind: .indexClear, name: [UInt8](hex: name)))
            }
        }
        #expect(throws: CBORError.self) { try Scope(clear: Scope([long + "a"]).clearKey(in: .index)) }
    }
}
