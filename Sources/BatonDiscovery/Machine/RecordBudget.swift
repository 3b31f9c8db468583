import BatonNetwork

/// Limits the number of records that are processed each second, for each source and for all sources together.
///
/// The records of a packet are counted after the packet was read, so they may exceed the limit. Then, the next packets
/// are dropped for a while. Because of the limit for each source, a source that sends too much does not block others.
/// But a machine can use many source addresses, so there is also a limit for all sources together.
struct RecordBudget: Sendable {
    private let settings: MulticastDNS.Settings
    private var all: TokenBucket?
    private var sources: [SocketAddress.Host: TokenBucket] = [:]

    /// The largest number of sources that are remembered.
    private static let sourcesMost = 256

    init(_ settings: MulticastDNS.Settings) { self.settings = settings }

    /// Returns whether a packet of a source may be processed now.
    mutating func allows(_ source: SocketAddress.Host, at now: MonotonicTime) -> Bool {
        fill(at: now)
        sources[source]?.fill(at: now)
        return (all?.spare ?? 1) > 0 && (sources[source]?.spare ?? 1) > 0
    }

    /// Counts the records of a packet that were processed.
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

    /// Forgets the half of the sources that have used the least of their limits.
    private mutating func makeRoom(at now: MonotonicTime) {
        for source in sources.keys { sources[source]?.fill(at: now) }
        let busiest = sources.sorted { $0.value.spare < $1.value.spare }.prefix(Self.sourcesMost / 2)
        sources = Dictionary(uniqueKeysWithValues: busiest.map { ($0.key, $0.value) })
    }
}
