/// Detects another machine that uses this device's identity, because a disk was cloned or a home was copied.
///
/// It is a part of `Account`. Each of the two machines begins a life of its own, so no dot is used twice and nothing is
/// lost. But they take each other's connections away, and each takes the other's writes for its own. One sign of it is
/// a change in this device's name that was made while this process ran, and not by it. Another is that peers have newer
/// connections with this device than it has with them. The third is an announcement of this device on a local network
/// that this process did not make, which shows the other machine also where there is no other device.
package struct TwinDetection: Sendable {
    private let device: DeviceIdentifier
    /// The lives under which this process has written.
    private var lives: Set<Life>
    private let started: WallTime
    /// The latest time that was known when the process began.
    private let latest: HybridTime
    /// The writes that this device was known to have made when the process began, in the store or sent ahead of it.
    private let known: VersionVector
    /// Own writes that were made later than this are not lost by a power failure: an older copy of the home was put back,
    /// or this machine is a copy of another one.
    private let latestLost: HybridTime
    /// The peers that have sent all they had when the two met, each with the latest time that was known here by then.
    ///
    /// Their later writes can't be ones that this device itself wrote and lost with a home that was put back. The two
    /// need not have come into step for that: if both machines with the identity write on, a comparison may find them
    /// apart, and the next one is minutes away.
    private var tellers: [DeviceIdentifier: HybridTime] = [:]
    /// How often, with nothing else between, a peer ended a connection for a newer one that is not here.
    private var replacements: [DeviceIdentifier: Int] = [:]
    /// The first of the present signs, and when the last of them was seen.
    private var seen: (sign: Sign, latest: Instant)?
    /// The address at which another machine announces itself as this device, while it does.
    private var announced: String?
    private var effects: [Effect] = []

    /// How the other machine shows itself.
    package enum Sign: Equatable, Sendable {
        /// The peer has writes in this device's name that were not made here.
        case writes(shownBy: DeviceIdentifier)
        /// The peer is connected with the other machine.
        case connection(of: DeviceIdentifier)
        /// The other machine announces itself on a local network, at this address.
        case announcement(at: String)
    }

    package enum Effect: Equatable, Sendable {
        /// There was no sign of another machine for a while, and now there is this one.
        case appeared(Sign)
        /// The peer sends what this device wrote before the process began and does not have any more.
        ///
        /// `isOlderCopy` says that the home is an older copy, because a power failure does not lose as much.
        case setBack(shownBy: DeviceIdentifier, isOlderCopy: Bool)
    }

    /// The other machine counts as gone this long after the last sign; while both run, signs come within seconds.
    package static let signTime = Duration.seconds(600)

    /// A single replacement may be chance: the newer connection was there, and broke.
    private static let replacementsMost = 3

    /// Watches a device that continues in a life and is known to have written what the vector covers.
    ///
    /// The store's latest time is given, and how long a disk may have a write without keeping it over a power failure.
    package init(
        of device: DeviceIdentifier, in life: Life, since started: WallTime, knowing known: VersionVector,
        latest: HybridTime, unsynced: Duration
    ) {
        self.device = device
        lives = [life]
        self.started = started
        self.known = known
        self.latest = latest
        let milliseconds = WallTime(milliseconds: 0).advanced(by: unsynced).milliseconds
        let (time, isBeyond) = latest.value.addingReportingOverflow(UInt64(clamping: milliseconds) << 16)
        latestLost = HybridTime(value: isBeyond ? .max : time)
    }

    // MARK: Commands

    /// Records that this process writes under another life, too.
    package mutating func begin(_ life: Life) { lives.insert(life) }

    /// Notes that a peer has sent all that it had, and the latest time that is known here now.
    package mutating func noteToldAll(by peer: DeviceIdentifier, knowing latest: HybridTime) {
        tellers[peer] = latest
    }

    /// Handles writes that a peer sends, which are not stored yet.
    package mutating func handleArriving(_ writes: [Write], from peer: DeviceIdentifier, at now: Instant) {
        let others = writes.filter { $0.dot.origin.life.isOf(device) && !lives.contains($0.dot.origin.life) }
        guard !others.isEmpty else { return }
        let told = tellers[peer]
        if told == nil {
            let lost = others.filter { !isMadeSince($0, knowing: told) && !known.covers($0.dot) }
            guard !lost.isEmpty else { return }
            let isOlderCopy = lost.contains { $0.stamp.time > latestLost }
            effects.append(.setBack(shownBy: peer, isOlderCopy: isOlderCopy))
        } else if others.contains(where: { isMadeSince($0, knowing: told) }) {
            recordSign(.writes(shownBy: peer), at: now)
        }
    }

    /// Called when a peer has writes in the name of this process's life that were not made here.
    package mutating func handleTakenLife(shownBy peer: DeviceIdentifier, at now: Instant) {
        recordSign(.writes(shownBy: peer), at: now)
    }

    /// Called when a connection with a peer has ended; the peer may have said that a newer one, which is not here,
    /// replaces it.
    package mutating func handleEnd(with peer: DeviceIdentifier, isReplacedElsewhere: Bool, at now: Instant) {
        guard isReplacedElsewhere else {
            replacements[peer] = nil
            return
        }
        replacements[peer, default: 0] += 1
        guard replacements[peer, default: 0] >= Self.replacementsMost else { return }
        recordSign(.connection(of: peer), at: now)
    }

    /// Called with the address at which another machine announces itself as this device; nil if there is none any more.
    package mutating func handleAnnouncement(at address: String?, at now: Instant) {
        let present = sign(at: now)
        announced = address
        if present == nil, let sign = sign(at: now) { effects.append(.appeared(sign)) }
    }

    /// Whether each of these devices has sent all that it had since the process began.
    package func hasHeardAll(of devices: Set<DeviceIdentifier>) -> Bool {
        devices.allSatisfy { tellers[$0] != nil }
    }

    // MARK: Outputs

    package mutating func nextEffect() -> Effect? { effects.isEmpty ? nil : effects.removeFirst() }

    /// Returns the sign of another machine; nil if the last one was seen too long ago, and the machine is not announced.
    package func sign(at now: Instant) -> Sign? {
        seen.flatMap { now.since($0.latest) < Self.signTime ? $0.sign : nil }
            ?? announced.map(Sign.announcement)
    }

    // MARK: Steps

    private mutating func recordSign(_ sign: Sign, at now: Instant) {
        let present = self.sign(at: now)
        if present == nil { effects.append(.appeared(sign)) }
        seen = (present ?? sign, now)
    }

    /// Whether a write was made after this process began, and not before it by this device itself, which lost it since.
    ///
    /// A stamp later than the start says so only if no stamps were ahead of the clock then. Otherwise the lost writes are
    /// ahead of it, too. Then a write is known to be newer only if its stamp is later than all that was known here when
    /// its sender had sent all it had.
    private func isMadeSince(_ write: Write, knowing told: HybridTime?) -> Bool {
        let time = write.stamp.time
        if latest.wall <= started { return time.wall > started }
        return told.map { time > $0 } ?? false
    }
}
