import BatonCore
import Support

extension Benchmark {
    static let catchUp = Benchmark(
        name: "catch-up",
        what: "an empty node takes all from another, against a loop that carries the same batches"
    ) { settings in
        let source = try CatchUpSource(records: settings.pick(100_000, quick: 10_000))
        var (sessions, checked): ([Double], [Double]) = ([], [])
        var (loops, summed): ([Double], [Double]) = ([], [])
        for _ in 0..<settings.pick(7, quick: 3) {
            let session = try source.bySession()
            sessions.append(session.claimed)
            checked.append(session.checked)
            loops.append(try source.byLoop(isSummed: false))
            summed.append(try source.byLoop(isSummed: true))
        }
        let count = Double(source.count)
        let ratio = { (sessions: [Double], loops: [Double]) in zip(sessions, loops).map { $0 / $1 }.median }
        return [
            Figure("catch-up", count / sessions.median, "records a second"),
            Figure("catch-up loop", count / loops.median, "records a second"),
            Figure("catch-up ratio", ratio(sessions, loops), "×", reach: .atMost(1.3)),
            Figure("catch-up and check", count / checked.median, "records a second"),
            Figure("catch-up and check, ratio to a loop that sums", ratio(checked, summed), "×"),
        ]
    }
}

/// A node in memory with many items, and the batches that it would send to one that has none of them.
private struct CatchUpSource {
    let count: Int
    private let state: InMemoryStore.State
    private let batches: [Batch]

    init(records count: Int) throws {
        self.count = count
        let store = InMemoryStore()
        var writer = ItemWriter(seed: 5)
        for start in stride(from: 0, to: count, by: ItemWriter.transactionItems) {
            _ = try store.commit(try writer.transaction(start..<start + ItemWriter.transactionItems))
        }
        // Brings the state digest up to date now, so that the rounds don't each do that work again.
        _ = store.check(at: Account.noon.compared)
        state = store.state
        batches = Self.batches(of: store)
    }

    private static func batches(of store: InMemoryStore) -> [Batch] {
        var batches: [Batch] = []
        var request = ChangesRequest(
            lane: .index, after: .none, covered: VersionVector(), bytes: Limits.largestBatchBytes)
        while true {
            let changes = store.delta(request)
            let cursor = Cursor(writes: changes.next, clears: changes.clears)
            batches.append(
                Batch(
                    number: UInt64(batches.count + 1), lane: .index, writes: changes.writes,
                    complete: changes.complete,
                    resume: ResumeToken(cursor, in: ArrivalOrder(high: 0, low: 0))))
            if changes.complete != nil { return batches }
            (request.after, request.clearsAfter) = (changes.next, changes.clears)
        }
    }

    /// How many seconds it takes with a session on either side: until the receiver claims all, and until the two have
    /// compared what they hold as well.
    func bySession() throws -> (claimed: Double, checked: Double) {
        let (sender, receiver) = (InMemoryStore(state), InMemoryStore())
        let all = sender.complete
        let meeting = Meeting(sender, receiver)
        let started = processorSeconds()
        try meeting.play { receiver.complete == all }
        let claimed = processorSeconds() - started
        try meeting.play()
        let checked = processorSeconds() - started
        try demandAll(receiver)
        return (claimed, checked)
    }

    /// How many seconds it takes to encode the same batches, decode them and merge what is in them.
    ///
    /// The store in memory sums up what it holds when it is asked, which a session does once all has come, to compare.
    func byLoop(isSummed: Bool) throws -> Double {
        let receiver = InMemoryStore()
        var decoder = FrameDecoder()
        let started = processorSeconds()
        for batch in batches {
            decoder.feed(PeerMessage.batch(batch).frame.encoded)
            guard let frame = try decoder.next(), case .batch(let batch) = try PeerMessage(frame) else {
                throw BenchmarkFailure("a batch comes out as something else")
            }
            _ = try receiver.commit(
                StoreTransaction(
                    lane: batch.lane, writes: batch.writes, completing: batch.complete ?? VersionVector()))
        }
        if isSummed { use(receiver.check(at: WallTime(milliseconds: 0))) }
        let taken = processorSeconds() - started
        try demandAll(receiver)
        return taken
    }

    private func demandAll(_ receiver: InMemoryStore) throws {
        guard receiver.allRecords.count == count, receiver.complete == InMemoryStore(state).complete else {
            throw BenchmarkFailure("something is missing after catching up")
        }
    }
}
