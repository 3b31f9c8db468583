package import BatonCore
package import BatonNetwork

/// Decides under which names this machine is announced on each local network, and when the names change.
///
/// It has no sockets, no clock and no randomness of its own. Commands say what there is to announce and on which
/// networks, `handleTime` ends periods, and the queries are `names(on:)` and `deadline`.
///
/// Each subject has its own random names on each network, which are never reused. So nothing links an announcement to
/// those on other networks or in earlier periods. The periods have different lengths, so that their rhythm does not
/// link them either.
package struct AnnouncementPlan {
    /// Something that is announced.
    package enum Subject: Hashable, Sendable {
        /// This device, to the members of an account.
        case device(AccountIdentifier)
        /// An open invitation of an account, to the machine that has the code.
        case invitation(AccountIdentifier)
    }

    /// The names of a subject on a network for one period.
    package struct Names: Equatable, Sendable {
        /// The instance of the service.
        package let instance: String
        /// The first label of the host name, below `.local`.
        package let host: String
        /// The beginning of the period.
        package let drawn: MonotonicTime
        /// The end of the period.
        package let expires: MonotonicTime
    }

    /// The random bytes in a name.
    private static let nameBytes = 10

    private let period: ClosedRange<Duration>
    private var generator: any RandomNumberGenerator
    private var subjects: Set<Subject> = []
    /// The networks, by the numbers of their interfaces.
    private var networks: [UInt32: Network] = [:]

    /// A network on which this machine is announced.
    private struct Network {
        /// The addresses of this machine there.
        let addresses: Set<SocketAddress.Host>
        /// The values that identify the link to other machines.
        let link: [[UInt8]]
        var names: [Subject: Names]
    }

    /// Creates a plan that announces nothing yet; the lengths of its periods are within these bounds.
    package init(_ period: ClosedRange<Duration>, drawingFrom generator: some RandomNumberGenerator) {
        (self.period, self.generator) = (period, generator)
    }

    // MARK: Commands

    /// Announces exactly these subjects from now on; the names of other subjects end.
    package mutating func set(_ subjects: Set<Subject>, now: MonotonicTime) {
        self.subjects = subjects
        for network in networks.keys { fill(network, now: now) }
    }

    /// Announces on a network from now on, with this machine's addresses there, and the values that identify the link.
    ///
    /// The names are new if the addresses or the values have changed, or if one of the names is taken by another
    /// machine.
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

    /// Ends the announcements on all networks except for these.
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

    /// Draws new names where a period has ended.
    package mutating func handleTime(_ now: MonotonicTime) {
        for network in networks.keys {
            let left = names(on: network).filter { $0.value.expires > now }
            networks[network]?.names = left
            fill(network, now: now)
        }
    }

    // MARK: Queries

    /// The names on a network, by subject.
    package func names(on network: UInt32) -> [Subject: Names] {
        networks[network]?.names ?? [:]
    }

    /// The addresses of this machine on a network on which it is announced; nil if it is not.
    package func addresses(on network: UInt32) -> Set<SocketAddress.Host>? { networks[network]?.addresses }

    /// The time at which the next period ends; nil if nothing is announced.
    package var deadline: MonotonicTime? { networks.values.flatMap(\.names.values).map(\.expires).min() }

    // MARK: Names

    /// Draws names for the subjects that have none on a network, and removes the names of former subjects.
    private mutating func fill(_ network: UInt32, now: MonotonicTime) {
        var names = (networks[network]?.names ?? [:]).filter { subjects.contains($0.key) }
        // The order is fixed, so that equal random numbers give equal names.
        for subject in subjects.sorted(by: { $0.order.lexicographicallyPrecedes($1.order) })
        where names[subject] == nil {
            let length = Int64.random(
                in: period.lowerBound.nanoseconds...period.upperBound.nanoseconds, using: &generator)
            names[subject] = Names(
                instance: drawName(), host: drawName(), drawn: now, expires: now + .nanoseconds(length))
        }
        networks[network]?.names = names
    }

    /// Draws a random name, long enough that no other name is equal.
    private mutating func drawName() -> String {
        Base32.encode((0..<Self.nameBytes).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }
}

extension AnnouncementPlan.Subject {
    /// Bytes that order subjects.
    fileprivate var order: [UInt8] {
        switch self {
        case .device(let account): [0] + account.bytes
        case .invitation(let account): [1] + account.bytes
        }
    }
}
