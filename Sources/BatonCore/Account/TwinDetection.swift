/// Detects another machine that uses this device's identity, because a disk was cloned or a home was copied.
///
/// It is a part of `Account`. Each of the two machines begins a life of its own, so no dot is used twice and nothing is
/// lost. But each replaces the other's connections, and mistakes the other's writes for its own. One sign of a twin is
/// a write in this device's name that was made while this process ran, but not by this process. Another is that peers
/// have newer connections with this device than it has with them. The third is an announcement of this device on a
/// local network that this process did not make; it reveals the twin even if the account has no other device.
package struct TwinDetection: Sendable {
    private let device: DeviceIdentifier
    /// The lives under which this process has written.
    private var lives: Set<Life>
    private let started: WallTime
    /// The latest time that was known when the process began.
    private let latest: HybridTime
    /// The writes that this device was known to have made when the process began, whether stored or only sent early.
    private let known: VersionVector
    /// A power failure can't have lost this device's writes with later times; if they are lost, an older copy of the
    /// home was put back, or this machine is a copy of another one.
    private let latestLost: HybridTime
    /// The peers that have sent everything that they claimed when their session opened, each with the latest time known
    /// here at that moment.
    ///
    /// Later writes from these peers can't be writes that this device made and lost when an older home was put back.
    /// Being in step is not required: while both machines with the identity write, a comparison may find a difference
    /// each time, and the next comparison is minutes away.
    private var tellers: [DeviceIdentifier: HybridTime] = [:]
    /// How many times in a row each peer ended its connection for a newer one that this process does not have.
    private var replacements: [DeviceIdentifier: Int] = [:]
    /// The first sign of the current series, and when the latest sign was seen.
    private var seen: (sign: Sign, latest: Instant)?
    /// The address at which another machine announces itself as this device, while it does.
    private var announced: String?
    private var effects: [Effect] = []

    /// A sign that another machine uses this device's identity.
    package enum Sign: Equatable, Sendable {
        /// The peer has writes in this device's name that were not made here.
        case writes(shownBy: DeviceIdentifier)
        /// The peer is connected with the other machine.
        case connection(of: DeviceIdentifier)
        /// The other machine announces itself on a local network, at this address.
        case announcement(at: String)
    }

    package enum Effect: Equatable, Sendable {
        /// A sign of another machine was seen, after none for `signTime`.
        case appeared(Sign)
        /// The peer sends writes that this device made before the process began and has lost.
        ///
        /// If `isOlderCopy`, the home is an older copy: a power failure could not have lost these writes.
        case setBack(shownBy: DeviceIdentifier, isOlderCopy: Bool)
    }

    /// The other machine counts as gone this long after the last sign; while both run, signs come within seconds.
    package static let signTime = Duration.seconds(600)

    /// The number of replacements in a row that are a sign; a single one may be chance, if the newer connection was
    /// here and broke.
    private static let replacementsMost = 3

    /// Begins detection for a device that continues `life` and is known to have made the writes that `known` covers.
    ///
    /// `latest` is the latest time in the store; `unsynced` is how long a stored write may remain unsynced; until it is
    /// synced, a power failure loses it.
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

    /// Notes that a peer has sent everything that it claimed when its session opened, and the latest time known here
    /// now.
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

    /// Called when a connection with a peer has ended.
    ///
    /// If `isReplacedElsewhere`, the peer ended it for a newer connection that this process does not have.
    package mutating func handleEnd(with peer: DeviceIdentifier, isReplacedElsewhere: Bool, at now: Instant) {
        guard isReplacedElsewhere else {
            replacements[peer] = nil
            return
        }
        replacements[peer, default: 0] += 1
        guard replacements[peer, default: 0] >= Self.replacementsMost else { return }
        recordSign(.connection(of: peer), at: now)
    }

    /// Called with the address at which another machine announces itself as this device; nil if there is no longer one.
    package mutating func handleAnnouncement(at address: String?, at now: Instant) {
        let present = sign(at: now)
        announced = address
        if present == nil, let sign = sign(at: now) { effects.append(.appeared(sign)) }
    }

    /// Whether each of these devices has, since the process began, sent everything that it claimed when a session
    /// opened.
    package func hasHeardAll(of devices: Set<DeviceIdentifier>) -> Bool {
        devices.allSatisfy { tellers[$0] != nil }
    }

    // MARK: Outputs

    package mutating func nextEffect() -> Effect? { effects.isEmpty ? nil : effects.removeFirst() }

    /// Returns the sign of another machine; nil if the last sign is older than `signTime`, and no machine is announced.
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

    /// Whether a write was made after this process began, rather than earlier by this device, which then lost it.
    ///
    /// A stamp later than the start proves this only if no known stamp was ahead of the clock at the start. Otherwise
    /// lost writes may be ahead of the clock, too; then a write is known to be newer only if its stamp is later than
    /// everything known here when its sender had sent everything that it claimed.
    private func isMadeSince(_ write: Write, knowing told: HybridTime?) -> Bool {
        let time = write.stamp.time
        if latest.wall <= started { return time.wall > started }
        return told.map { time > $0 } ?? false
    }
}
