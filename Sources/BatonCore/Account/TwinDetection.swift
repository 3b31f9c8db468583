/// Detects a twin: another machine that uses the identity of this device, because a disk was cloned or a home was
/// copied.
///
/// `TwinDetection` is a part of `Account`. Each of the two machines begins its own life, so no dot is used twice and
/// nothing is lost. But each machine replaces the connections of the other, and mistakes the writes of the other for
/// its own.
///
/// There are three signs of a twin. The first is a write in the name of this device that was made while this process
/// ran, but not by this process. The second is that peers have newer connections with this device than this device has
/// with them. The third is that another machine on the local network announces itself as this device. The third sign
/// reveals the twin even if the account has no other device.
package struct TwinDetection: Sendable {
    private let device: DeviceIdentifier
    /// The lives under which this process has written.
    private var lives: Set<Life>
    private let started: WallTime
    /// The latest time in the store when the process began.
    private let latest: HybridTime
    /// The writes of this device that were known when the process began, whether they were stored or only sent early.
    private let known: VersionVector
    /// The latest time of a write that this device can have lost by a power failure.
    ///
    /// If this device has lost a later write, then either an older copy of its home was put back, or this machine is a
    /// copy of another one.
    private let latestLost: HybridTime
    /// The peers that have sent everything that they claimed when their session opened.
    ///
    /// The value is the latest time that was known here at that moment.
    ///
    /// A write from such a peer with a later time can't be a write that this device made and then lost when an older
    /// home was put back. The peer need not be in step: while two machines with this identity write, each comparison
    /// may find a difference, and the next comparison is minutes away.
    private var tellers: [DeviceIdentifier: HybridTime] = [:]
    /// The number of times in a row that each peer ended its connection because it had a newer one that this process
    /// does not have.
    private var replacements: [DeviceIdentifier: Int] = [:]
    /// The first sign of the current series of signs, and the time of the latest sign.
    private var seen: (sign: Sign, latest: Instant)?
    /// The address at which another machine announces itself as this device; nil if no machine does so.
    private var announced: String?
    private var effects: [Effect] = []

    /// A sign that another machine uses this device's identity.
    package enum Sign: Equatable, Sendable {
        /// The peer has writes that name this device as their author and that this device did not make.
        case writes(shownBy: DeviceIdentifier)
        /// The peer has a newer connection, which is with the other machine.
        case connection(of: DeviceIdentifier)
        /// The other machine announces itself on a local network, at this address.
        case announcement(at: String)
    }

    package enum Effect: Equatable, Sendable {
        /// A sign of another machine was seen, and no other sign had been seen for `signTime`.
        case appeared(Sign)
        /// The peer sends writes that this device made before the process began and has lost since.
        ///
        /// If `isOlderCopy` is true, the home is an older copy, because a power failure could not have lost these
        /// writes.
        case setBack(shownBy: DeviceIdentifier, isOlderCopy: Bool)
    }

    /// The time after the last sign at which the other machine counts as gone.
    ///
    /// While both machines run, signs come within seconds.
    package static let signTime = Duration.seconds(600)

    /// The number of replacements in a row that count as a sign.
    ///
    /// A single replacement may be chance: this process may have had the newer connection, and that connection may have
    /// broken.
    private static let replacementsMost = 3

    /// Begins detection for a device that continues `life`.
    ///
    /// `known` covers the writes that this device is known to have made, and `latest` is the latest time in the store.
    /// `unsynced` is the longest time between storing a write and syncing it. A power failure in that time can lose the
    /// write.
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

    /// Records that this process also writes under another life.
    package mutating func begin(_ life: Life) { lives.insert(life) }

    /// Notes that a peer has sent everything that it claimed when its session opened; `latest` is the latest time known
    /// here.
    package mutating func noteToldAll(by peer: DeviceIdentifier, knowing latest: HybridTime) {
        tellers[peer] = latest
    }

    /// Handles writes that a peer sends; they are not stored yet.
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

    /// Called when a peer has writes that name the life of this process and that this process did not make.
    package mutating func handleTakenLife(shownBy peer: DeviceIdentifier, at now: Instant) {
        recordSign(.writes(shownBy: peer), at: now)
    }

    /// Called when a connection with a peer has ended.
    ///
    /// If `isReplacedElsewhere` is true, the peer ended the connection because it has a newer one. This process does
    /// not have that newer connection.
    package mutating func handleEnd(with peer: DeviceIdentifier, isReplacedElsewhere: Bool, at now: Instant) {
        guard isReplacedElsewhere else {
            replacements[peer] = nil
            return
        }
        replacements[peer, default: 0] += 1
        guard replacements[peer, default: 0] >= Self.replacementsMost else { return }
        recordSign(.connection(of: peer), at: now)
    }

    /// Called when another machine announces itself as this device at an address; nil if no machine does so any more.
    package mutating func handleAnnouncement(at address: String?, at now: Instant) {
        let present = sign(at: now)
        announced = address
        if present == nil, let sign = sign(at: now) { effects.append(.appeared(sign)) }
    }

    /// Whether each of these devices has sent everything that it claimed when a session opened, since the process
    /// began.
    package func hasHeardAll(of devices: Set<DeviceIdentifier>) -> Bool {
        devices.allSatisfy { tellers[$0] != nil }
    }

    // MARK: Outputs

    package mutating func nextEffect() -> Effect? { effects.isEmpty ? nil : effects.removeFirst() }

    /// Returns the sign of another machine, or nil if there is none.
    ///
    /// A sign older than `signTime` does not count. An announcement counts as long as it lasts.
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

    /// Whether a write was made after this process began.
    ///
    /// Otherwise, this device may have made the write earlier and lost it.
    ///
    /// If no known stamp was ahead of the clock when the process began, a stamp later than that start proves that the
    /// write was made after it. If some stamp was ahead of the clock, lost writes may be ahead of the clock, too. In
    /// that case, the stamp must be later than `told`: everything that was known here when the peer had sent everything
    /// that it claimed.
    private func isMadeSince(_ write: Write, knowing told: HybridTime?) -> Bool {
        let time = write.stamp.time
        if latest.wall <= started { return time.wall > started }
        return told.map { time > $0 } ?? false
    }
}
