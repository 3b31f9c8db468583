import BatonCore
import BatonNetwork
import BatonSecurity

/// An output of the links or of the search for devices, which asks the account to do something or tells it something.
enum PeerOutput {
    /// A device was reached. The channel is ready for a session. `expired` is the time at which the device's
    /// certificate expired; nil if the certificate is valid.
    case reached(Channel, DeviceIdentity, expired: WallTime?)
    case greeted(Link, Hello)
    /// The session has opened. Both devices send batches from now on.
    case opened(Link)
    /// The session requests something from the store, and waits for the answer.
    case asked(StoreRequest, Link)
    case continueRequested(ContinueRequest, Link)
    /// The peer requested a stream to an app. The record identifies an activity of the app.
    case streamRequested(UInt64, RecordIdentity, Link)
    /// A peer sent addresses of other devices.
    case addresses([DeviceAddresses], from: DeviceIdentifier)
    /// A peer has writes of this device's present life that this device did not make.
    case lifeTaken(Life, shownBy: DeviceIdentifier)
    /// A peer can't complete the snapshot that it was sending.
    case snapshotLost(by: DeviceIdentifier)
    /// A peer made a comparison at this time by the peer's clock.
    case compared(at: WallTime, by: DeviceIdentifier)
    /// This device claims every write that the peer claimed in its comparison at this time.
    case met(DeviceIdentifier, at: WallTime)
    /// This device claims every write that the peer claimed when its session opened.
    case toldAll(by: DeviceIdentifier)
    /// The peer claims the same writes as this device, and its state was compared. If the difference is nil, the states
    /// are equal.
    case differed(Difference?, with: DeviceIdentifier)
    /// The peer stores what it is sent, or lacks nothing.
    case storing(DeviceIdentifier)
    /// A store job of the session failed.
    case failed(StoreFailure, of: DeviceIdentifier)
    case ended(Link, LinkEnd)
}

/// The way in which a link has ended.
struct LinkEnd {
    /// The end in words, for the log.
    let text: String
    /// The answer to a person who asks why the device is not connected.
    var trouble: ConnectionTrouble
    /// Whether another attempt to connect may succeed soon.
    var isTransient: Bool
}

/// A queue of the outputs that the account has not carried out yet.
final class PeerOutputs {
    private var waiting: [PeerOutput] = []
    private var first = 0
    /// Whether a link has handled something or has ended since the last call of `takeProgress`.
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

    /// Returns whether a link has handled something or has ended since the last call of this method.
    func takeProgress() -> Bool {
        defer { hasProgressed = false }
        return hasProgressed
    }
}
