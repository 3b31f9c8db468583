import BatonCore
import BatonSecurity
import Foundation
import Support
import Synchronization

/// A member of the account, with a valid certificate, that sends as many activities as its node accepts.
///
/// It follows the protocol, and respects the window; it only writes more than any person does.
final class FloodingMember {
    private let credentials: Credentials
    private let connection: RawConnection
    private let session: TLSSession
    private var decoder = FrameDecoder()
    private let life: Life
    private var clock: HybridClock
    private var (batch, acknowledged): (UInt64, UInt64) = (0, 0)
    private var sequence: UInt64 = 0
    /// The number of activities that it has sent.
    private(set) var count = 0
    /// Why the node closed the session, once it has.
    private(set) var closing: CloseReason?

    /// The number of unacknowledged batches, which the window limits.
    private static let batchesInFlight: UInt64 = 2
    /// The approximate number of bytes of writes in a batch.
    private static let batchBytes = 200 << 10

    private static var now: WallTime {
        WallTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    }

    /// Connects to a node as the device with the identity in that folder, and opens a session.
    init(_ identity: String, at port: UInt16) throws {
        credentials = try IdentityFolder(path: identity).load()
        connection = try RawConnection(port: port)
        session = try TLSSession(context: .device(credentials), role: .client)
        var generator = SystemRandomNumberGenerator()
        clock = HybridClock(latest: HybridTime(value: UInt64(Self.now.milliseconds) << 16))
        life = Life(after: clock.latest, of: credentials.device, random: generator.next())
        flush()
        while session.negotiatedProtocol == nil { _ = try receive() }
        try say(
            .hello(
                Hello(
                    account: credentials.account, device: credentials.device, name: credentials.deviceName,
                    completeDigest: VersionVector().digest, port: nil, build: "flood")))
        while let message = try next() { if case .hello = message { break } }
        try say(.standing(Standing(complete: VersionVector())))
    }

    /// Sends this many activities, each with a payload of this many bytes, and waits until the node has stored all of
    /// them.
    func push(_ number: Int, ofBytes bytes: Int) throws {
        let payload = String(repeating: "x", count: bytes)
        var (writes, size): ([Write], Int) = ([], 0)
        for _ in 0..<number {
            writes.append(write(payload, place: UInt32(writes.count)))
            size += bytes + 200
            count += 1
            guard size >= Self.batchBytes || writes.count >= 1000 else { continue }
            try push(writes)
            (writes, size) = ([], 0)
        }
        if !writes.isEmpty { try push(writes) }
        while acknowledged < batch { try takeNext() }
    }

    /// Waits until the node closes the session.
    func awaitClosing() throws { while closing == nil { try takeNext() } }

    private func write(_ payload: String, place: UInt32) -> Write {
        let now = Self.now
        var activity = Activity(type: "org.example.flood", started: now)
        (activity.title, activity.webpage) = ("flood \(count)", "https://example.org/\(payload)")
        let name = ActivityName(
            device: credentials.device, app: "org.example.flood", instance: "window \(count)")
        return Write(
            dot: Dot(origin: Origin(life: life, lane: .activities), sequence: sequence + 1, place: place),
            key: name.key, stamp: Stamp(time: clock.next(at: now), life: life),
            action: .full(activity.content))
    }

    private func push(_ writes: [Write]) throws {
        while batch >= acknowledged + Self.batchesInFlight { try takeNext() }
        (batch, sequence) = (batch + 1, sequence + 1)
        let origin = Origin(life: life, lane: .activities)
        try say(
            .batch(
                Batch(
                    number: batch, lane: .activities, writes: writes,
                    complete: VersionVector([(origin, sequence)]))))
    }

    // MARK: The session

    private func takeNext() throws {
        switch try next() {
        case .acknowledgement(let number): acknowledged = number
        case .close(let reason): closing = reason
        case nil: closing = closing ?? CloseReason(.goingAway, "the connection ended")
        default: break
        }
        if let closing, acknowledged < batch {
            throw DeadlinePassed(description: "the session was closed: \(closing)")
        }
    }

    private func say(_ message: PeerMessage) throws {
        try session.send(message.frame)
        flush()
    }

    private func next() throws -> PeerMessage? {
        while true {
            if let frame = try decoder.next() { return try PeerMessage(frame) }
            guard try receive() else { return nil }
        }
    }

    private func receive() throws -> Bool {
        guard let bytes = connection.read() else {
            throw DeadlinePassed(description: "the node says nothing")
        }
        guard !bytes.isEmpty else { return false }
        try session.receive(bytes.span)
        while try decoder.feed(from: { try session.readPlaintext(into: &$0, limit: $1) }) > 0 {}
        flush()
        return true
    }

    private func flush() {
        if let ciphertext = session.nextCiphertext() { connection.write(ciphertext) }
    }
}
