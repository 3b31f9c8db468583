/// The opening of a session, in which each side says which writes it has.
///
/// This is a part of `Session`. It ends when both sides know which writes the other side has.
struct SessionOpening: Sendable {
    private let own: SessionIdentity
    private let peer: DeviceIdentifier
    @Boxed private var limits: Limits
    /// A value that is different for each session.
    ///
    /// It is used to divide vectors into parts.
    private let salt: UInt64
    private var state = State.starting(hello: nil)

    private enum State: Sendable {
        /// The store was asked for its summary.
        ///
        /// The peer's first message may have arrived already.
        case starting(hello: Hello?)
        /// This side's first message was sent.
        case greeting(StoreSummary)
        /// The digests differ, and this side's standing was sent.
        ///
        /// A standing with this digest is expected from the peer.
        case comparing(StoreSummary, digest: [UInt8], [Lane: Cursor])
        case over
    }

    /// The result of comparing the first messages of both sides.
    struct Greeting {
        let hello: Hello
        let summary: StoreSummary
        /// The features that both sides support.
        let features: Features
        let next: Next

        enum Next {
            /// Both sides have the same claims.
            ///
            /// Batches are read after these cursors.
            case exchange(after: [Lane: Cursor])
            /// The claims differ.
            ///
            /// This side sends the standing and waits for that of the peer.
            case compare(Standing)
        }
    }

    /// The claims of both sides, if the digests in their first messages were different.
    struct Comparison {
        let summary: StoreSummary
        let peer: Standing
        /// The cursors after which batches are read.
        let cursors: [Lane: Cursor]
    }

    init(own: SessionIdentity, peer: DeviceIdentifier, limits: Limits, salt: UInt64) {
        (self.own, self.peer, self.salt) = (own, peer, salt)
        self.limits = limits
    }

    /// Whether this is the account of the session.
    func isOwn(_ account: AccountIdentifier) -> Bool { account == own.account }

    /// Handles the store's summary; returns this side's first message.
    ///
    /// If the peer's first message has already arrived, the result of comparing both messages is returned, too.
    mutating func handleSummary(_ summary: StoreSummary) -> (Hello, Greeting?) {
        guard case .starting(let early) = state else {
            preconditionFailure("the store is asked for its summary once")
        }
        state = .greeting(summary)
        var hello = Hello(
            account: own.account, device: own.device, name: own.name,
            completeDigest: summary.complete.digest, port: own.port, build: Build.version,
            features: own.features, reportsDigest: summary.reports.isEmpty ? nil : summary.reports.digest,
            parts: summary.parts(salt: salt, beyond: limits.undividedOrigins),
            compared: own.features.contains(Features.repair) ? summary.compared : nil,
            state: own.features.contains(Features.repair) ? summary.state : nil)
        (hello.resume, hello.clock) = (summary.resume, own.clock)
        return (hello, early.map { greet($0, summary) })
    }

    /// Handles the peer's first message; returns nil if the store's summary is not known yet.
    mutating func handleHello(_ hello: Hello) throws(CloseReason) -> Greeting? {
        guard isOwn(hello.account), hello.device == peer else {
            throw CloseReason(.identity, "the first message names another device than the certificate")
        }
        switch state {
        case .starting(hello: nil):
            state = .starting(hello: hello)
            return nil
        case .greeting(let summary): return greet(hello, summary)
        case .starting, .comparing, .over: throw CloseReason(.unexpected, "a second first message")
        }
    }

    /// Compares the first messages of both sides.
    ///
    /// Standings are sent only if the digests differ.
    private mutating func greet(_ hello: Hello, _ summary: StoreSummary) -> Greeting {
        let cursors = cursors(of: hello, summary)
        let next: Greeting.Next
        if hello.completeDigest == summary.complete.digest {
            state = .over
            // This device claims everything up to `settled`. The peer has the same claims, so it has everything up to
            // there.
            next = .exchange(
                after: cursors.merging(summary.settled.mapValues { Cursor($0) }) { $0.joined($1) })
        } else {
            state = .comparing(summary, digest: hello.completeDigest, cursors)
            next = .compare(summary.standing(for: hello.parts))
        }
        return Greeting(
            hello: hello, summary: summary, features: own.features.common(with: hello.features), next: next)
    }

    /// Handles the peer's standing, and checks that it has the digest of the peer's first message.
    mutating func handleStanding(_ standing: Standing) throws(CloseReason) -> Comparison {
        guard case .comparing(let summary, let digest, let cursors) = state else {
            throw CloseReason(.unexpected, "a standing that was not expected")
        }
        let parts = standing.parts
        let standing = try standing.completed(by: summary, beyond: limits.undividedOrigins)
        guard standing.complete.digest == digest else {
            throw CloseReason(
                parts == nil ? .unexpected : .mistaken,
                "a vector whose digest differs from the first message")
        }
        state = .over
        return Comparison(summary: summary, peer: standing, cursors: cursors)
    }

    /// Returns the cursors from the resume tokens in the peer's first message.
    ///
    /// A token that this store can't have sent is skipped.
    private func cursors(of hello: Hello, _ summary: StoreSummary) -> [Lane: Cursor] {
        var cursors: [Lane: Cursor] = [:]
        for (lane, token) in hello.resume {
            guard let cursor = token.cursor(in: summary.order), let head = summary.heads[lane],
                max(cursor.writes, cursor.clears) <= head
            else { continue }
            cursors[lane] = cursor
        }
        return cursors
    }
}
