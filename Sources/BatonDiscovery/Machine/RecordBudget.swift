import BatonNetwork

/// Limits the records of services that are processed in a second, of each source and of all together.
///
/// A packet is charged once it was read, so it may cost more than was left; then the next packets are dropped for a
/// while. A source that sends too much does not use up the share of the others. A source can give itself many
/// addresses, so there is also a limit for all sources together.
struct RecordBudget: Sendable {
    private let settings: MulticastDNS.Settings
    private var all: TokenBucket?
    private var sources: [SocketAddress.Host: TokenBucket] = [:]

    /// The most sources that are remembered.
    private static let sourcesMost = 256

    init(_ settings: MulticastDNS.Settings) { self.settings = settings }

    /// Returns whether a packet of a source may be processed now.
    mutating func allows(_ source: SocketAddress.Host, at now: MonotonicTime) -> Bool {
        fill(at: now)
        sources[source]?.fill(at: now)
        return (all?.spare ?? 1) > 0 && (sources[source]?.spare ?? 1) > 0
    }

    /// Charges the records of a packet that were processed.
    mutating func charge(_ count: Int, to source: SocketAddress.Host, at now: MonotonicTime) {
        guard count > 0 else { return }
        fill(at: now)
        all?.spend(Double(count))
        if sources[source] == nil, sources.count >= Self.sourcesMost { makeRoom(at: now) }
        var bucket =
            sources[source]
            ?? TokenBucket(
                rate: Double(settings.recordsPerSecond) / 2, size: Double(settings.recordsAtOnce) / 2,
                now: now)
        bucket.fill(at: now)
        bucket.spend(Double(count))
        sources[source] = bucket
    }

    private mutating func fill(at now: MonotonicTime) {
        if all == nil {
            all = TokenBucket(
                rate: Double(settings.recordsPerSecond), size: Double(settings.recordsAtOnce), now: now)
        }
        all?.fill(at: now)
    }

    /// Forgets half of the sources: those with the largest budgets left.
    private mutating func makeRoom(at now: MonotonicTime) {
        for source in sources.keys { sources[source]?.fill(at: now) }
        let busiest = sources.sorted { $0.value.spare < $1.value.spare }.prefix(Self.sourcesMost / 2)
        sources = Dictionary(uniqueKeysWithValues: busiest.map { ($0.key, $0.value) })
    }
}
