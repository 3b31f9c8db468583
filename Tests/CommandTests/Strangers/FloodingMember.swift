import BatonCore
import BatonSecurity
import Foundation
import Support
import Synchronization

/// A member of the account, with a valid certificate, that sends writes as fast as a node accepts them.
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
    /// The last sequence in each lane.
    private var sequences: [Lane: UInt64] = [:]
    /// The number of writes that it has sent.
    private(set) var count = 0
    /// Why the node closed the session, once it has.
    private(set) var closing: CloseReason?

    /// The number of unacknowledged batches, which the window limits.
    private static let batchesInFlight: UInt64 = 2
    /// The approximate number of bytes of writes in a batch.
    private static let batchBytes = 200 << 10

    static var now: WallTime {
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
        try awaitStored()
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
            dot: nextDot(.activities, place), key: name.key,
            stamp: Stamp(time: clock.next(at: now), life: life),
            action: .full(activity.content))
    }

    private func nextDot(_ lane: Lane, _ place: UInt32) -> Dot {
        Dot(origin: Origin(life: life, lane: lane), sequence: sequences[lane, default: 0] + 1, place: place)
    }

    private func push(_ writes: [Write]) throws {
        guard let lane = writes.first?.identity.kind.lane else { return }
        let sequence = sequences[lane, default: 0] + 1
        sequences[lane] = sequence
        try push(writes, of: lane, claiming: VersionVector([(Origin(life: life, lane: lane), sequence)]))
    }

    private func push(_ writes: [Write], of lane: Lane, claiming complete: VersionVector) throws {
        while batch >= acknowledged + Self.batchesInFlight { try takeNext() }
        batch += 1
        try say(.batch(Batch(number: batch, lane: lane, writes: writes, complete: complete)))
    }

    // MARK: Other floods

    /// Sends one batch of full writes of these records.
    func push(full records: [(key: RecordKey, content: Write.Content)]) throws {
        try push(
            records.enumerated().map { place, record in
                Write(
                    dot: nextDot(record.key.kind.lane, UInt32(place)), key: record.key,
                    stamp: Stamp(time: clock.next(at: Self.now), life: life), action: .full(record.content))
            })
        count += records.count
    }

    /// Sends one batch of full writes, each under a life of its own, with a stamp of another life.
    func push(inLives records: [(key: RecordKey, content: Write.Content)], of lane: Lane) throws {
        var (writes, claims): ([Write], [(Origin, UInt64)]) = ([], [])
        for record in records {
            let time = clock.next(at: Self.now)
            let life = Life(after: time, of: credentials.device, random: UInt64(count))
            let origin = Origin(life: life, lane: lane)
            let other = Life(after: time, of: credentials.device, random: UInt64(count) | 1 << 47)
            writes.append(
                Write(
                    dot: Dot(origin: origin, sequence: 1), key: record.key,
                    stamp: Stamp(time: time, life: other),
                    action: .full(record.content)))
            claims.append((origin, 1))
            count += 1
        }
        try push(writes, of: lane, claiming: VersionVector(claims))
    }

    /// Returns the record of a statement by which the member, which has an owner's key, admits a device that does not
    /// exist.
    func admission() throws -> (key: RecordKey, content: Write.Content) {
        let key = try PrivateKey.generate().publicKey
        let statement = try authority.admit(key, name: "flood", now: Self.now.milliseconds / 1000).statement
        return (statement.key, RosterStatement.content)
    }

    /// Returns the record of a statement by which the member, which has an owner's key, revokes a device that does not
    /// exist.
    func revocation() throws -> (key: RecordKey, content: Write.Content) {
        var generator = SystemRandomNumberGenerator()
        let statement = try authority.revoke(.random(using: &generator), now: Self.now)
        return (statement.key, RosterStatement.content)
    }

    private var authority: OwnerAuthority {
        get throws {
            guard let authority = credentials.ownerAuthority else {
                throw DeadlinePassed(description: "the member has no owner's key")
            }
            return authority
        }
    }

    /// Waits until the node has stored all that was sent.
    func awaitStored() throws { while acknowledged < batch { try takeNext() } }

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
