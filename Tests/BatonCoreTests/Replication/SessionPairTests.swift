import BatonCore
import Support
import Testing

@Suite struct `Two stores in a session` {
    /// Returns a store with a history of its own.
    private func store(_ history: History) -> InMemoryStore {
        let store = InMemoryStore()
        for transaction in history.transactions { store.keep(transaction) }
        return store
    }

    @Test(arguments: Seeds.first(10))
    func `have the same content afterwards, with batches of any size`(_ seed: UInt64) {
        for bytes in [1, 500, Limits.largestBatchBytes] {
            let (one, two) = (
                store(History(seed: seed, length: 20)), store(History(seed: seed + 1000, length: 20))
            )
            var limits = Limits()
            limits.batchBytes = bytes
            let pair = SessionPair(one, two, limits: limits)
            pair.play()
            let isSame = one.allRecords == two.allRecords
            #expect(pair.isInStep && isSame)
            #expect(one.summary().complete == two.summary().complete)
        }
    }

    @Test func `report how many changes are missing, even before they can claim any`() throws {
        let (one, two) = (InMemoryStore(), InMemoryStore())
        var journal = Journal(life: Life(high: 5, low: 5), latest: .zero)
        for number in 1...30 {
            let drafts = (0..<3).map { place in
                let name = ItemName(
                    app: "org.example.notes", index: "notes", identifier: "\(number) \(place)")
                return Journal.Draft(.full(Item().content(name)), name.key)
            }
            let transaction = journal.transaction(.index, drafts, now: WallTime(milliseconds: Int64(number)))
            one.keep(try #require(transaction))
        }
        var limits = Limits()
        limits.batchBytes = 1
        let pair = SessionPair(one, two, limits: limits)
        var (toTake, toSend, taken): ([UInt64], [UInt64], [UInt64]) = ([], [], [])
        while !pair.isInStep {
            pair.play(frames: 1)
            guard let sender = pair.backlog[0], let taker = pair.backlog[1], taker != SyncBacklog() else {
                continue
            }
            toSend.append(sender.toSend)
            toTake.append(taker.toTake)
            taken.append(taker.taken)
        }
        #expect(Set(toTake) == Set(1...30) && toTake == toTake.sorted(by: >), "\(toTake)")
        #expect(Set(toSend).isSuperset(of: 2...30) && toSend == toSend.sorted(by: >), "\(toSend)")
        #expect(taken.last ?? 0 >= 88 && taken == taken.sorted(), "\(taken)")
        #expect(pair.backlog == [SyncBacklog(), SyncBacklog()])
    }

    @Test func `exchange two frames if they are in step, and two more for one change`() {
        let history = History(seed: 1, length: 50)
        let (one, two) = (store(history), store(history))
        let pair = SessionPair(one, two)
        pair.play()
        #expect(pair.carried == [.hello, .hello] && pair.isInStep)
        var journal = Journal(life: Life(high: 5, low: 5), latest: one.summary().clock)
        let draft = Journal.Draft(.deletion, RecordKey(kind: .device, parts: 0) { _ in })
        if let transaction = journal.transaction(.activities, [draft], now: WallTime(milliseconds: 0)) {
            one.keep(transaction)
        }
        pair.handleCommit(in: one)
        pair.play()
        #expect(pair.carried == [.hello, .hello, .batch, .acknowledgement] && pair.isInStep)
        let isSame = one.allRecords == two.allRecords
        #expect(isSame)
    }

    @Test func `pass on unknown kinds and fields byte for byte, and clear them`() {
        let (one, two) = (InMemoryStore(), InMemoryStore())
        var fields = Fields()
        fields[.number(99)] = [UInt8](hex: "d90400a1f5826161fb3ff199999999999a")
        fields[.part(77, DeviceIdentifier(high: 1, low: 2))] = [UInt8](hex: "f6")
        let scope = Scope(["new", "kind"])
        let key = RecordKey(kind: .unknown, name: [UInt8](hex: "a1016161"))
        let write = Write.told(key, at: 1, .full(Write.Content(scope: scope, fields: fields)))
        let commit = { (write: Write) in
            _ = one.keep(
                StoreTransaction(
                    lane: .index, writes: [write],
                    completing: VersionVector([(write.dot.origin, write.dot.sequence)])))
        }
        commit(write)
        let pair = SessionPair(one, two)
        pair.play()
        #expect(two.record(key.identity)?.survivingWrites == [write] && pair.isInStep)
        commit(.clear(Scope(["new"]), at: 5))
        pair.handleCommit(in: one)
        pair.play()
        #expect(two.record(key.identity)?.isThere == false && pair.isInStep)
        #expect(one.allRecords == two.allRecords)
    }

    @Test(arguments: [3, 20, 90])
    func `resume after a disconnection, and resend no stored write`(_ frames: Int) {
        var limits = Limits()
        limits.batchBytes = 1
        let (author, reader) = (store(History(seed: 5, keys: 40, length: 60)), InMemoryStore())
        let count = author.survivingWrites.count
        let cut = SessionPair(author, reader, limits: limits)
        cut.play(frames: frames)
        let kept = reader.survivingWrites.count
        #expect(kept > 0 || frames < 5)
        let again = SessionPair(author, reader, limits: limits)
        again.play()
        #expect(again.isInStep && again.carriedWrites == count - kept)
        // A position has no meaning in a new order of arrival; only the reader's claims are known then.
        author.begin(ArrivalOrder(high: 9, low: 9))
        author.readPlaces = []
        author.keep(History(seed: 6, length: 1).transactions[0])
        let third = SessionPair(author, reader, limits: limits)
        third.play()
        #expect(author.readPlaces.first == Arrival.none && third.isInStep)
    }

    @Test func `never send back a change that arrived in many batches`() {
        let (author, reader) = (InMemoryStore(), InMemoryStore())
        var limits = Limits()
        limits.batchBytes = 1
        let pair = SessionPair(author, reader, limits: limits)
        pair.play()
        let history = History(seed: 4, keys: 40, length: 30)
        for transaction in history.transactions { author.keep(transaction) }
        pair.handleCommit(in: author)
        pair.play()
        #expect(pair.isInStep && author.allRecords == reader.allRecords)
        #expect(pair.carriedWrites == author.survivingWrites.count)
    }

    @Test func `never send back a change that arrived in batches, even after more bytes than a window`() {
        let (author, reader) = (InMemoryStore(), InMemoryStore())
        var limits = Limits()
        limits.batchBytes = 1
        let pair = SessionPair(author, reader, limits: limits)
        pair.play()
        let (parts, bytes): (UInt64, Int) = (8, 50_000)
        for round in 0..<UInt64(Limits.windowBytes / (Int(parts) * bytes) + 3) {
            let last = (round + 1) * parts
            let writes = (round * parts + 1...last).map { SessionScript.write($0, bytes: bytes) }
            author.keep(
                StoreTransaction(
                    lane: .activities, writes: writes,
                    completing: VersionVector([(SessionScript.origin(1), last)])))
            pair.handleCommit(in: author)
            pair.play()
        }
        #expect(pair.isInStep && pair.carriedWrites == author.survivingWrites.count)
    }

    @Test func `read only new changes, however many records they have`() {
        var limits = Limits()
        limits.batchBytes = 1
        let (author, reader) = (store(History(seed: 5, keys: 40, length: 60)), InMemoryStore())
        SessionPair(author, reader, limits: limits).play()
        let head = author.summary().settled[.activities]
        for transaction in History(seed: 6, keys: 40, length: 3).transactions {
            author.keep(transaction)
        }
        author.readPlaces = []
        SessionPair(author, reader, limits: limits).play()
        #expect(author.readPlaces.allSatisfy { $0 >= head ?? .none })
        #expect(author.allRecords == reader.allRecords)
    }

    @Test(arguments: 0...40)
    func `recover from a disconnection after any frame, and pass no false claim to a third store`(
        _ frames: Int
    ) {
        var limits = Limits()
        limits.batchBytes = 1
        let (author, middle, far) = (store(History(seed: 3, length: 8)), InMemoryStore(), InMemoryStore())
        // A part arrives in the middle store, which then opens in step with a peer that has nothing.
        SessionPair(author, middle, limits: limits).play(frames: frames)
        let onward = SessionPair(middle, far, limits: limits)
        onward.play()
        let inward = SessionPair(author, middle, limits: limits)
        inward.play()
        onward.handleCommit(in: middle)
        onward.play()
        #expect(far.summary().complete == author.summary().complete)
        let isSame = far.allRecords == author.allRecords
        #expect(isSame)
    }

    @Test(arguments: [0, 6, 9, 14, 60])
    func `recover from collected tombstones by a snapshot, also if it is cut off and resumed`(_ frames: Int) {
        var limits = Limits()
        limits.batchBytes = 1
        let history = History(seed: 4, keys: 30, length: 60)
        let (author, reader) = (store(history), InMemoryStore())
        for transaction in history.transactions.prefix(30) { reader.keep(transaction) }
        while author.collect(CollectRequest(roster: [])) > 0 {}
        let gone = author.summary().dropped
        #expect(!gone.isWithin(reader.summary().complete))
        SessionPair(author, reader, limits: limits).play(frames: frames)
        let sent = reader.summary(for: DeviceIdentifier(high: 9, low: 0)).snapshots[.activities]
        #expect((sent?.through != nil) == (frames >= 6 && frames < 60))
        author.rangePlaces = []
        let again = SessionPair(author, reader, limits: limits)
        again.play()
        #expect(again.isInStep && author.allRecords == reader.allRecords)
        #expect(author.rangePlaces.first ?? nil == sent?.through)
        #expect(reader.summary().complete == author.summary().complete && reader.summary().dropped == gone)
    }
}
