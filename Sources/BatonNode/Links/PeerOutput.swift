import BatonCore
import BatonNetwork
import BatonSecurity

/// An output of the links and of the search for devices: what the account is to do, or should know.
enum PeerOutput {
    /// A device was reached, whose certificate may have expired; the channel is ready for a session.
    case reached(Channel, DeviceIdentity, expired: WallTime?)
    case greeted(Link, Hello)
    /// Batches go both ways from now on.
    case opened(Link)
    /// The session asks the store for something, and waits for the answer.
    case asked(StoreRequest, Link)
    case continueRequested(ContinueRequest, Link)
    /// The peer requested a stream to the app that has the activity of that record.
    case streamRequested(UInt64, RecordIdentity, Link)
    /// A peer sent addresses of other devices.
    case addresses([DeviceAddresses], from: DeviceIdentifier)
    /// A peer has writes of this device's present life that were not made here.
    case lifeTaken(Life, shownBy: DeviceIdentifier)
    /// A peer can't complete the snapshot that it was sending.
    case snapshotLost(by: DeviceIdentifier)
    /// A peer made a comparison at that time by its clock.
    case compared(at: WallTime, by: DeviceIdentifier)
    /// This device claims every write that the peer claimed in its comparison at that time.
    case met(DeviceIdentifier, at: WallTime)
    /// This device claims every write that the peer claimed when its session opened.
    case toldAll(by: DeviceIdentifier)
    /// The peer claims the same writes as this device but has a different state or, with nil, the same state.
    case differed(Difference?, with: DeviceIdentifier)
    /// The peer stores what it is sent, or lacks nothing.
    case storing(DeviceIdentifier)
    /// A store job of the session failed.
    case failed(StoreFailure, of: DeviceIdentifier)
    case ended(Link, LinkEnd)
}

/// How a link has ended.
struct LinkEnd {
    /// For the log.
    let text: String
    /// For a person who asks why the device is not connected.
    var trouble: ConnectionTrouble
    /// Whether another attempt may succeed soon.
    var isTransient: Bool
}

/// The outputs that wait, in their order.
final class PeerOutputs {
    private var waiting: [PeerOutput] = []
    private var first = 0
    /// Whether a link has handled something or has ended since the last `takeProgress`.
    private var hasProgressed = false

    func add(_ output: PeerOutput) { waiting.append(output) }

    /// Records that a link has handled something or has ended.
    func noteProgress() { hasProgressed = true }

    /// Removes and returns the oldest output.
    func next() -> PeerOutput? {
        guard first < waiting.count else {
            if first > 0 { (waiting, first) = ([], 0) }
            return nil
        }
        defer { first += 1 }
        return waiting[first]
    }

    /// Returns whether a link has handled something or has ended since the last call.
    func takeProgress() -> Bool {
        defer { hasProgressed = false }
        return hasProgressed
    }
}
