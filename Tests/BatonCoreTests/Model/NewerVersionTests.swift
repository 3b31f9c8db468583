import BatonCore
import Support
import Testing

/// Tests with two nodes of a newer version and one of this version between them.
@Suite struct `A record of a newer version` {
    private let author = InMemoryStore()
    private let older = InMemoryStore()
    private let reader = InMemoryStore()

    /// Lets the three exchange all their records, in batches of few bytes.
    private func exchange() {
        var limits = Limits()
        limits.batchBytes = 200
        let pairs = [SessionPair(author, older, limits: limits), SessionPair(older, reader, limits: limits)]
        for _ in 0..<2 {
            for pair in pairs {
                for store in [author, older, reader] { pair.handleCommit(in: store) }
                pair.play()
            }
        }
        for pair in pairs { #expect(pair.isInStep) }
    }

    @Test func `has a kind and attributes that this version does not know`() {
        #expect(Attribute(number: NewerVersion.attribute) == nil)
        let known: [RecordKind] = [
            .activitiesClear, .indexClear, .rosterStatement, .currentActivity, .savedActivity, .device, .item,
            .clientState, .engagement, .entityType, .focus, .presentFocus,
        ]
        for kind in NewerVersion.kinds { #expect(!known.contains(kind)) }
        #expect(
            NewerVersion.kinds.contains { $0.isPermanent } && Set(NewerVersion.kinds.map(\.lane)).count == 2)
    }

    @Test(arguments: Seeds.first(20))
    func `is passed on by an older node byte for byte`(_ seed: UInt64) throws {
        let newer = NewerVersion(seed: seed)
        for transaction in newer.transactions { author.keep(transaction) }
        exchange()
        for key in newer.records {
            let expected = Record(merging: newer.writes(to: key))
            #expect(reader.record(key.identity) == expected)
            #expect(reader.record(key.identity)?.fields?.encoded == expected.fields?.encoded)
            #expect(reader.record(key.identity)?.name == key.name)
        }
        #expect(reader.digest(at: .noon) == author.digest(at: .noon))
    }

    @Test(arguments: Seeds.first(20))
    func `keeps its unknown fields when an older node changes the known ones`(_ seed: UInt64) throws {
        let newer = NewerVersion(seed: seed)
        var version = OlderVersion(seed: seed)
        for transaction in newer.transactions { author.keep(transaction) }
        exchange()
        for change in try version.changes(try OlderVersion.records(of: newer, in: older), of: newer) {
            older.keep(change)
        }
        exchange()
        for store in [author, older, reader] {
            let records = try OlderVersion.records(of: newer, in: store)
            #expect(OlderVersion.complaints(records, of: newer) == [])
        }
        for change in try version.move(try OlderVersion.records(of: newer, in: older), of: newer) {
            older.keep(change)
        }
        exchange()
        let records = try OlderVersion.records(of: newer, in: reader)
        #expect(OlderVersion.complaints(records, of: newer) == [])
        let moved = records[newer.item.key.identity]?.content?.scope
        #expect(moved == .items(app: newer.item.app, index: newer.item.index, domain: "moved"))
    }
}

extension WallTime {
    fileprivate static let noon = WallTime(milliseconds: 1_782_907_200_000)
}
