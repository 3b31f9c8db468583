package import BatonCore
package import BatonNetwork

/// The addresses under which a device is announced on local networks.
///
/// Anybody on a network can announce anything. So only a few addresses are used at a time, each is tried less and less
/// often while it fails, and none displaces an address of another source. They are never stored.
package struct FoundPlaces {
    /// An announced address.
    private struct Found {
        /// The address, `HOST:PORT`.
        let address: String
        /// The pauses between attempts.
        var pause: Backoff
        /// The time from which the address may be tried again.
        var due: MonotonicTime
        /// How often it has failed since it was announced.
        var failures = 0
    }

    private let pauses: ClosedRange<Duration>
    private var found: [Found] = []
    /// Limits how often an announcement makes this machine connect at once.
    private var allowance: RateLimit

    package init(_ limits: Limits, now: MonotonicTime) {
        pauses = limits.foundPause
        allowance = RateLimit(perSecond: 1, burst: limits.foundDialsAtOnce, now: now)
    }

    /// All announced addresses.
    package var addresses: [String] { found.map(\.address) }

    /// Replaces the addresses with those that are announced now; returns the new ones that may be tried at once.
    ///
    /// If there are too many, a new address replaces the one that has failed most often; if none has failed, the new
    /// one is dropped.
    package mutating func set(_ addresses: [String], now: MonotonicTime) -> [String] {
        found.removeAll { !addresses.contains($0.address) }
        var new: [String] = []
        for address in addresses where !found.contains(where: { $0.address == address }) {
            if found.count >= Limits.foundAddresses {
                let worst = found.indices.max { found[$0].failures < found[$1].failures }
                guard let worst, found[worst].failures > 0 else { break }
                found.remove(at: worst)
            }
            found.append(Found(address: address, pause: Backoff(pauses), due: now))
            if allowance.take(at: now) { new.append(address) }
        }
        return new
    }

    /// Returns the addresses that may be tried in a round that begins now.
    package func due(at now: MonotonicTime) -> [String] { found.filter { $0.due <= now }.map(\.address) }

    /// Notes that an address has failed.
    package mutating func noteFailure(at address: String, now: MonotonicTime) {
        guard let place = found.firstIndex(where: { $0.address == address }) else { return }
        found[place].failures += 1
        found[place].due = now + found[place].pause.next()
    }

    /// Allows every address to be tried at once, since this machine's network has changed.
    package mutating func hurry(now: MonotonicTime) {
        for place in found.indices {
            found[place].pause.reset()
            found[place].due = now
        }
    }
}
