import BatonCore
import Foundation

extension Benchmark {
    static let merge = Benchmark(
        name: "merge", what: "1,000,000 items into as many, half of them new and half written anew"
    ) { settings in
        let size = settings.pick(1_000_000, quick: 20_000)
        var (there, arriving) = (ItemWriter(seed: 2), ItemWriter(seed: 3, daysAhead: 1))
        // Made before memory is looked at, so that the first transaction brings in all code and tables.
        let first = try there.transaction(0..<ItemWriter.transactionItems)
        let before = residentBytes()
        var state = MergedState(capacity: size)
        state.merge(first)
        for start in stride(from: ItemWriter.transactionItems, to: size, by: ItemWriter.transactionItems) {
            state.merge(try there.transaction(start..<start + ItemWriter.transactionItems))
        }
        let held = Double(residentBytes() - before) / Double(size)
        // The other device's clock is ahead: what it writes is later, so that all of it changes something.
        let half = size / 2
        var (taken, changed) = (Duration.zero, 0)
        for start in stride(from: half, to: half + size, by: ItemWriter.transactionItems) {
            let transaction = try arriving.transaction(start..<start + ItemWriter.transactionItems)
            let started = ContinuousClock.now
            changed += state.merge(transaction)
            taken += ContinuousClock.now - started
        }
        guard changed == size, state.count == half + size else {
            throw BenchmarkFailure("\(changed) of \(size) changed something, and there are \(state.count)")
        }
        return [
            Figure("merge", Double(size) / taken.seconds, "records a second"),
            Figure("merge memory", held, "bytes a record"),
        ]
    }

    /// How much memory of this process is in use.
    private static func residentBytes() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}

/// Records in memory, merged by the one rule.
///
/// The tests' `InMemoryStore` keeps a journal, a sum and client states beside them; here it is the rule that is
/// measured.
private struct MergedState {
    private var records: [RecordIdentity: Record] = [:]
    private var complete = VersionVector()

    init(capacity: Int) { records.reserveCapacity(capacity) }

    var count: Int { records.count }

    /// Merges writes and claims; answers with how many changed something.
    @discardableResult
    mutating func merge(_ transaction: StoreTransaction) -> Int {
        var changed = 0
        for write in transaction.writes where !complete.covers(write.dot) {
            if records[write.identity, default: Record(write.identity)].merge(write) { changed += 1 }
        }
        complete.claim(transaction.completing)
        return changed
    }
}
