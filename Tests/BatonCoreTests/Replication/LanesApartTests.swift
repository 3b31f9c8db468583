import BatonCore
import Support
import Testing

/// Tests that the need for a snapshot is decided for each lane by itself.
@Suite struct `Two stores that each lack tombstones the other collected` {
    /// Returns a store of that life that collected a tombstone in each of those lanes and has one record in every lane.
    private static func store(_ life: UInt64, collectingIn lanes: [Lane]) -> InMemoryStore {
        let store = InMemoryStore()
        for lane in Lane.allCases {
            let kind: RecordKind = lane == .activities ? .device : .item
            let collects = lanes.contains(lane)
            let tombstone = Write.told(.told(life, kind: kind), at: 5, by: life, .deletion)
            let write = Write.told(.told(life + 10, kind: kind), at: 6, by: life, .full())
            if collects {
                store.keep(
                    StoreTransaction(
                        lane: lane, writes: [tombstone],
                        completing: VersionVector([(tombstone.dot.origin, 5 as UInt64)])))
            }
            #expect(store.collect(CollectRequest(roster: [])) == (collects ? 1 : 0))
            store.keep(
                StoreTransaction(
                    lane: lane, writes: [write],
                    completing: VersionVector([(write.dot.origin, 6 as UInt64)])))
        }
        return store
    }

    @Test(
        arguments: [[Lane.activities], [.index], Lane.allCases], [[Lane.activities], [.index], Lane.allCases])
    func `come into step in one session, whichever lanes the tombstones are of`(_ one: [Lane], _ two: [Lane])
    {
        let stores = [Self.store(1, collectingIn: one), Self.store(2, collectingIn: two)]
        let pair = SessionPair(stores[0], stores[1])
        pair.play()
        #expect(pair.closed == nil)
        #expect(pair.isInStep)
        #expect(stores[0].complete == stores[1].complete)
        let isSame = stores[0].allRecords == stores[1].allRecords
        #expect(isSame && stores[0].allRecords.count == 4)
    }
}
