import BatonCore
import BatonNetwork

/// Notices that another machine goes on with this device's identity, because a disk was cloned or a home was copied.
///
/// Each of the two begins a life of its own, so no dot is used twice and nothing is lost. But they take each other's
/// connections away, and each takes for its own what the other writes. One sign of it is a change in this device's name
/// that was made while this node ran, and not by it. Another is that peers have newer connections with this device than
/// it has with them.
struct TwinWatch {
    private let device: DeviceIdentifier
    /// What this node wrote since it started is of these.
    private var lives: Set<Life>
    private let started: WallTime
    /// The vector that the store claimed when it was opened.
    private let known: VersionVector
    /// The peers that have told all they had when the two met.
    ///
    /// Later writes are none that this device itself made and forgot because its home was put back. The two need not
    /// have come into step for that: if both machines with the identity write on, a comparison may find them apart, and
    /// the next one is minutes away.
    private var tellers: Set<DeviceIdentifier> = []
    /// How often, with nothing else between, a peer ended a connection for a newer one that is not here.
    private var replacements: [DeviceIdentifier: Int] = [:]

    /// The sign of the other machine, and when it was last seen.
    private var sign: (text: String, latest: MonotonicTime)?
    /// How long after the last sign the other machine counts as gone; while both run, signs come within seconds.
    static let signTime = Duration.seconds(600)

    /// Once may be chance: the newer connection was there, and broke.
    private static let replacementsMost = 3

    /// Watches a device that goes on in a life, and whose store claimed that vector when it was opened.
    init(
        of device: DeviceIdentifier, in life: Life, since started: WallTime,
        knowing known: VersionVector = VersionVector()
    ) {
        (self.device, lives, self.started, self.known) = (device, [life], started, known)
    }

    /// This node goes on under another life.
    mutating func begin(_ life: Life) { lives.insert(life) }

    /// A peer has told all that it had.
    mutating func noteToldAll(by peer: DeviceIdentifier) { tellers.insert(peer) }

    /// A connection with a peer has ended; answers whether the peer must have one with another machine.
    mutating func noteEnd(with peer: DeviceIdentifier, isReplacedElsewhere: Bool) -> Bool {
        guard isReplacedElsewhere else {
            replacements[peer] = nil
            return false
        }
        replacements[peer, default: 0] += 1
        return replacements[peer, default: 0] >= Self.replacementsMost
    }

    /// Takes note of a sign of another machine; answers whether there was none shortly before.
    mutating func note(_ text: String, at time: MonotonicTime) -> Bool {
        let isNew = trouble(at: time) == nil
        sign = (isNew ? text : sign?.text ?? text, time)
        return isNew
    }

    /// The sign of another machine, unless it was seen too long ago.
    func trouble(at time: MonotonicTime) -> String? {
        sign.flatMap { time - $0.latest < Self.signTime ? $0.text : nil }
    }

    /// Whether a peer tells, as the two meet, of what this device wrote before it started and does not have any more.
    func isSetBack(by writes: [Write], from peer: DeviceIdentifier) -> Bool {
        guard !tellers.contains(peer) else { return false }
        return writes.contains { write in
            let life = write.dot.origin.life
            guard life.isOf(device), !lives.contains(life), !known.covers(write.dot) else { return false }
            return write.stamp.time.value >> 16 <= milliseconds
        }
    }

    /// Whether another machine must have made some of what a peer sends.
    func isShown(by writes: [Write], from peer: DeviceIdentifier) -> Bool {
        guard tellers.contains(peer) else { return false }
        return writes.contains { write in
            let life = write.dot.origin.life
            return life.isOf(device) && !lives.contains(life) && write.stamp.time.value >> 16 > milliseconds
        }
    }

    private var milliseconds: UInt64 { UInt64(clamping: started.milliseconds) }
}
