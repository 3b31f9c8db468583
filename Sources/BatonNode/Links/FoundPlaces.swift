package import BatonCore
package import BatonNetwork

/// The addresses that a device announces on local networks.
///
/// Anybody on a network can announce anything. Therefore, only a few addresses are used at a time, and an address that
/// fails is tried less and less often. An announced address never replaces an address from another source, and is never
/// stored.
package struct FoundPlaces {
    /// An announced address.
    private struct Found {
        /// The address in the form `HOST:PORT`.
        let address: String
        /// The length of the pauses between attempts.
        var pause: Backoff
        /// The time at which the address may be tried again.
        var due: MonotonicTime
        /// The number of failed attempts since the address was announced.
        var failures = 0
    }

    private let pauses: ClosedRange<Duration>
    private var found: [Found] = []
    /// Limits how often a new announcement makes this machine connect at once.
    private var allowance: RateLimit

    package init(_ limits: Limits, now: MonotonicTime) {
        pauses = limits.foundPause
        allowance = RateLimit(perSecond: 1, burst: limits.foundDialsAtOnce, now: now)
    }

    /// All announced addresses.
    package var addresses: [String] { found.map(\.address) }

    /// Replaces the addresses with those that are announced now.
    ///
    /// Returns the new addresses that may be tried at once.
    ///
    /// If there are too many addresses, a new address replaces the address that has failed most often. If no address
    /// has failed, the new address is dropped.
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

    /// Notes that an attempt at an address has failed.
    package mutating func noteFailure(at address: String, now: MonotonicTime) {
        guard let place = found.firstIndex(where: { $0.address == address }) else { return }
        found[place].failures += 1
        found[place].due = now + found[place].pause.next()
    }

    /// Lets every address be tried at once, because this machine's network has changed.
    package mutating func hurry(now: MonotonicTime) {
        for place in found.indices {
            found[place].pause.reset()
            found[place].due = now
        }
    }
}
