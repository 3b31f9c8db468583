import BatonCore

/// Notices that another machine goes on with this device's identity, because a disk was cloned or a home was copied.
///
/// Each of the two begins a life of its own, so no dot is used twice and nothing is lost. But they take each other's
/// connections away, and each takes for its own what the other writes. What shows it is a change in this device's name that
/// was made while this node ran, and not by it; or that peers have newer connections with this device than it has with them.
struct TwinWatch {
    private let device: DeviceIdentifier
    /// What this node wrote since it started is of these.
    private var lives: Set<Life>
    private let started: WallTime
    /// The peers that have told all they had when the two met.
    ///
    /// What comes then is not what this device itself wrote, and forgot because its home was put back.
    private var compared: Set<DeviceIdentifier> = []
    /// How often, with nothing else between, a peer ended a connection for a newer one that is not here.
    private var replacements: [DeviceIdentifier: Int] = [:]

    /// Once may be chance: the newer connection was there, and broke.
    private static let replacementsMost = 3

    init(of device: DeviceIdentifier, in life: Life, since started: WallTime) {
        (self.device, lives, self.started) = (device, [life], started)
    }

    /// This node goes on under another life.
    mutating func begin(_ life: Life) { lives.insert(life) }

    /// A peer has told all that it had.
    mutating func noteCompared(with peer: DeviceIdentifier) { compared.insert(peer) }

    /// A connection with a peer has ended; answers whether the peer must have one with another machine.
    mutating func noteEnd(with peer: DeviceIdentifier, isReplacedElsewhere: Bool) -> Bool {
        guard isReplacedElsewhere else {
            replacements[peer] = nil
            return false
        }
        replacements[peer, default: 0] += 1
        return replacements[peer, default: 0] >= Self.replacementsMost
    }

    /// Whether another machine must have made some of what a peer sends.
    func isShown(by writes: [Write], from peer: DeviceIdentifier) -> Bool {
        guard compared.contains(peer) else { return false }
        return writes.contains { write in
            let life = write.dot.origin.life
            return life.isOf(device) && !lives.contains(life) && write.stamp.time.value >> 16 > milliseconds
        }
    }

    private var milliseconds: UInt64 { UInt64(clamping: started.milliseconds) }
}
