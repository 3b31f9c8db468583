import BatonCore
import BatonStore
import Support
import Testing

/// Ranking by use, held against the searches that a made-up person makes.
@Suite struct `Ranking by use` {
    /// A store with the documents of a trace, in which each is found by its number.
    private static func stage(_ trace: UseTrace) throws -> SearchStage {
        let stage = try SearchStage()
        try stage.write(trace.titles.enumerated().map { .item("\($0)", [.title: $1]) })
        return stage
    }

    private static func find(_ opening: UseTrace.Opening, in stage: SearchStage) throws -> [Int] {
        try stage.find(opening.typed, most: 10, at: opening.time).items.compactMap { Int($0.identifier) }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `ranks what a person wants higher than ranking by text alone does, also while habits change`(
        seed: UInt64
    ) throws {
        let trace = UseTrace(seed: seed, documents: 300, days: 60, openingsPerDay: 8)
        let (used, bare) = (try Self.stage(trace), try Self.stage(trace))
        let with = try trace.reciprocalRank(fromDay: 40) {
            try Self.find($0, in: used)
        } open: { opening in
            try used.open("\(opening.document)", times: 1, at: opening.time)
        }
        let without = try trace.reciprocalRank(fromDay: 40) {
            try Self.find($0, in: bare)
        } open: { _ in
        }
        #expect(without > 0.1, "texts alone find something, too")
        #expect(with > 1.2 * without, "\(with) with use, \(without) without")
    }

    @Test func `forgets openings that a clear ended, even once the clear is collected`() throws {
        let stage = try SearchStage()
        func use() throws -> Double? { try stage.find("red").things.first?.rank?.use }
        let (item, clear) = (
            Journal.Draft.item("1", [.title: "red"]),
            Scope.items(app: "org.example.app", index: "notes").clearKey(in: .index)
        )
        try stage.write([item])
        try stage.open("1", times: 1)
        #expect(try use() == 1.5)
        try stage.write([Journal.Draft(.full(Write.Content(fields: Fields())), clear), item])
        while try stage.store.ownLane(.index).settle(most: 10) != nil {}
        while try stage.store.collect(CollectRequest(roster: [])) > 0 {}
        #expect(try stage.store.record(clear.identity) == nil)
        #expect(try use() == 1)
    }

    @Test func `is tested with reproducible traces in which habits change`() {
        let trace = UseTrace(seed: 7, documents: 300, days: 120, openingsPerDay: 20)
        #expect(
            trace.openings.map(\.typed)
                == UseTrace(seed: 7, documents: 300, days: 120, openingsPerDay: 20).openings.map(\.typed))
        let counts = { (openings: ArraySlice<UseTrace.Opening>) in
            Dictionary(openings.map { ($0.document, 1) }, uniquingKeysWith: +)
        }
        let (first, last) = (counts(trace.openings.prefix(600)), counts(trace.openings.suffix(600)))
        let often = first.sorted { ($0.value, $0.key) > ($1.value, $1.key) }.prefix(20)
        #expect(often.reduce(0) { $0 + $1.value } > 200, "a few documents get most openings")
        #expect(
            often.reduce(0) { $0 + (last[$1.key] ?? 0) } < often.reduce(0) { $0 + $1.value } / 2,
            "they change")
    }
}
