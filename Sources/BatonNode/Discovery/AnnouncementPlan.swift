package import BatonCore
package import BatonNetwork

/// Decides which names announce this machine on each local network, and when the names change.
///
/// The plan has no sockets, no clock and no randomness of its own. Commands set the subjects to announce and the
/// networks. `handleTime` ends periods. The queries `names(on:)` and `deadline` return the result.
///
/// Each subject has its own random names on each network, and names are never reused. Therefore, nobody can link an
/// announcement to announcements on other networks or in earlier periods. The lengths of the periods differ, so that
/// their rhythm does not reveal the link either.
package struct AnnouncementPlan {
    /// Something that is announced.
    package enum Subject: Hashable, Sendable {
        /// This device, which is announced to the members of an account.
        case device(AccountIdentifier)
        /// An open invitation of an account, which is announced to the machine that has the code.
        case invitation(AccountIdentifier)
    }

    /// The names of a subject on a network for one period.
    package struct Names: Equatable, Sendable {
        /// The name of the service instance.
        package let instance: String
        /// The first label of the host name, below `.local`.
        package let host: String
        /// The beginning of the period, when the names were drawn.
        package let drawn: MonotonicTime
        /// The end of the period.
        package let expires: MonotonicTime
    }

    /// The number of random bytes in a name.
    private static let nameBytes = 10

    private let period: ClosedRange<Duration>
    private var generator: any RandomNumberGenerator
    private var subjects: Set<Subject> = []
    /// The networks, by the index of their interface.
    private var networks: [UInt32: Network] = [:]

    /// A network on which this machine is announced.
    private struct Network {
        /// The addresses of this machine on the network.
        let addresses: Set<SocketAddress.Host>
        /// The values by which other machines recognise the link.
        let link: [[UInt8]]
        var names: [Subject: Names]
    }

    /// Creates a plan that announces nothing yet.
    ///
    /// The length of each period is within these bounds.
    package init(_ period: ClosedRange<Duration>, drawingFrom generator: some RandomNumberGenerator) {
        (self.period, self.generator) = (period, generator)
    }

    // MARK: Commands

    /// Announces exactly these subjects from now on.
    ///
    /// The names of all other subjects are removed.
    package mutating func set(_ subjects: Set<Subject>, now: MonotonicTime) {
        self.subjects = subjects
        for network in networks.keys { fill(network, now: now) }
    }

    /// Announces on a network from now on.
    ///
    /// `addresses` are this machine's addresses on the network. `link` has the values by which other machines recognise
    /// the link. New names are drawn if the addresses or the values have changed, or if another machine uses one of the
    /// names.
    package mutating func use(
        _ network: UInt32, with addresses: Set<SocketAddress.Host>, link: [[UInt8]] = [],
        taken: Set<String> = [],
        now: MonotonicTime
    ) {
        let known = networks[network]
        let isTaken = known?.names.values.contains { taken.contains($0.instance) || taken.contains($0.host) }
        if known?.addresses != addresses || known?.link != link || isTaken == true {
            networks[network] = Network(addresses: addresses, link: link, names: [:])
        }
        fill(network, now: now)
    }

    /// Ends the announcements on all networks except these.
    package mutating func keep(_ present: Set<UInt32>) {
        networks = networks.filter { present.contains($0.key) }
    }

    /// Draws new names on all networks, because the machine woke up.
    package mutating func renewAll(now: MonotonicTime) {
        for network in networks.keys {
            networks[network]?.names = [:]
            fill(network, now: now)
        }
    }

    /// Draws new names for all subjects whose period has ended.
    package mutating func handleTime(_ now: MonotonicTime) {
        for network in networks.keys {
            let left = names(on: network).filter { $0.value.expires > now }
            networks[network]?.names = left
            fill(network, now: now)
        }
    }

    // MARK: Queries

    /// Returns the names on a network, by subject.
    package func names(on network: UInt32) -> [Subject: Names] {
        networks[network]?.names ?? [:]
    }

    /// Returns the addresses of this machine on a network; nil if the machine is not announced on this network.
    package func addresses(on network: UInt32) -> Set<SocketAddress.Host>? { networks[network]?.addresses }

    /// The time at which the next period ends; nil if nothing is announced.
    package var deadline: MonotonicTime? { networks.values.flatMap(\.names.values).map(\.expires).min() }

    // MARK: Names

    /// Draws names for the subjects that have no names on a network, and removes the names of former subjects.
    private mutating func fill(_ network: UInt32, now: MonotonicTime) {
        var names = (networks[network]?.names ?? [:]).filter { subjects.contains($0.key) }
        // The order is fixed. Therefore, equal random numbers give equal names.
        for subject in subjects.sorted(by: { $0.order.lexicographicallyPrecedes($1.order) })
        where names[subject] == nil {
            let length = Int64.random(
                in: period.lowerBound.nanoseconds...period.upperBound.nanoseconds, using: &generator)
            names[subject] = Names(
                instance: drawName(), host: drawName(), drawn: now, expires: now + .nanoseconds(length))
        }
        networks[network]?.names = names
    }

    /// Draws a random name.
    ///
    /// The name is long enough that no two names are equal.
    private mutating func drawName() -> String {
        Base32.encode((0..<Self.nameBytes).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }
}

extension AnnouncementPlan.Subject {
    /// Bytes by which subjects are sorted.
    fileprivate var order: [UInt8] {
        switch self {
        case .device(let account): [0] + account.bytes
        case .invitation(let account): [1] + account.bytes
        }
    }
}
