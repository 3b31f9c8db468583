import BatonCore
import BatonStore
import Support
import Testing

@Suite struct `Records that change often` {
    @Test(arguments: Seeds.first(5))
    func `are stored and sent as if the store were reopened for each change`(_ seed: UInt64) throws {
        let folders = [try TemporaryFolder(), try TemporaryFolder()]
        let open = { (number: Int) in
            try SQLiteStore(folder: folders[number].path, account: AccountIdentifier(high: 1, low: 2))
        }
        let kept = try open(0)
        var (after, clearsAfter) = (Arrival.none, Arrival.none)
        for transaction in History(seed: seed, lane: .activities, keys: 3, length: 60).transactions {
            let other = try open(1)
            #expect(try kept.commit(transaction).changed == other.commit(transaction).changed)
            let request = ChangesRequest(
                lane: .activities, after: after, clearsAfter: clearsAfter, covered: VersionVector(),
                bytes: .max)
            let changes = try kept.delta(request)
            #expect(try changes == other.delta(request))
            #expect(try kept.check(at: InMemoryStore.past) == other.check(at: InMemoryStore.past))
            (after, clearsAfter) = (changes.next, changes.clears)
        }
        let sums = try kept.recount(.activities, at: InMemoryStore.past)
        #expect(try sums == open(1).recount(.activities, at: InMemoryStore.past))
    }
}
