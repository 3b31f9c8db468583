import BatonCore
import Support

/// Two nodes that meet: a session at each end of a connection that takes no time, over whatever stores they have.
///
/// Bytes are cut into frames and read again, as they are behind a socket.
final class Meeting {
    private let ends: [End]
    /// The number of bytes that crossed, both ways.
    private(set) var bytes = 0
    /// The number of requests to both stores.
    private(set) var requests = 0

    /// One side: its session, its store, and the bytes that are on their way to it.
    private final class End {
        let store: any AccountStore
        var session: Session
        var decoder = FrameDecoder()
        var arriving: [UInt8] = []

        init(_ store: any AccountStore, as own: DeviceIdentifier, with peer: DeviceIdentifier) {
            self.store = store
            let identity = SessionIdentity(
                account: Account.identifier, device: own, name: "anna-laptop", port: 7373)
            session = Session(
                own: identity, peer: peer, of: identity.account, limits: Limits(),
                now: Instant(nanoseconds: 1_000_000_000))
        }
    }

    /// The stores of two devices, which are named by the numbers of the account.
    init(_ one: any AccountStore, _ two: any AccountStore) {
        ends = [
            End(one, as: Account.device(1), with: Account.device(2)),
            End(two, as: Account.device(2), with: Account.device(1)),
        ]
    }

    /// Lets them talk until it is so, which is asked whenever a store has done something.
    func play(until isSo: () -> Bool) throws {
        repeat {
            for (end, other) in [(ends[0], ends[1]), (ends[1], ends[0])] {
                if try drain(end, to: other, until: isSo) { return }
            }
        } while try deliver()
        throw BenchmarkFailure("two nodes met, and have nothing more to say before it is so")
    }

    /// Lets them talk until both have nothing more to say; then each must know that it has all.
    func play() throws {
        repeat {
            try drain(ends[0], to: ends[1])
            try drain(ends[1], to: ends[0])
        } while try deliver()
        guard ends.allSatisfy({ $0.session.isInStep }) else {
            throw BenchmarkFailure("two nodes met and are not in step")
        }
    }

    /// Does what a side wants done, and answers whether it stopped because it is so.
    @discardableResult
    private func drain(_ end: End, to other: End, until isSo: () -> Bool = { false }) throws -> Bool {
        while let event = end.session.nextEvent() { try judge(event) }
        while let request = end.session.nextStoreRequest() {
            requests += 1
            end.session.handleAnswer(try answer(request, end))
            if isSo() { return true }
        }
        while let event = end.session.nextEvent() { try judge(event) }
        while let frame = end.session.nextFrame() { other.arriving += frame.encoded }
        return false
    }

    /// Hands over what was sent; false if nothing was.
    private func deliver() throws -> Bool {
        var isAny = false
        for end in ends where !end.arriving.isEmpty {
            isAny = true
            bytes += end.arriving.count
            end.decoder.feed(end.arriving)
            end.arriving.removeAll(keepingCapacity: true)
            while let frame = try end.decoder.next() { end.session.handleFrame(frame) }
        }
        return isAny
    }

    private func judge(_ event: SessionEvent) throws {
        switch event {
        case .closedHere(let reason), .closedByPeer(let reason):
            throw BenchmarkFailure("a session was broken off: \(reason)")
        case .differed(let difference):
            throw BenchmarkFailure("the stores hold different things: \(difference)")
        default: break
        }
    }

    private func answer(_ request: StoreRequest, _ end: End) throws -> StoreAnswer {
        let store = end.store
        switch request {
        case .summary(let peer): return .summary(try store.summary(for: peer, now: Account.noon))
        case .changes(let request): return .changes(request.lane, try store.changes(request))
        case .range(let request): return .range(request.lane, try store.range(request))
        case .keepReports(let reports): return .keptReports(try store.keep(reports))
        case .check(let time): return .check(try store.check(toldAt: time, now: Account.noon))
        case .sums(let lane, let time): return .sums(try store.recount(lane, at: time))
        case .part(let request): return .part(request.lane, try store.part(request))
        case .apply(let transaction):
            let commit = try store.commit(transaction)
            end.session.handleCommit(transaction.lane)
            return .applied(transaction.lane, commit)
        }
    }
}

/// The account that all these nodes belong to.
enum Account {
    static let identifier = AccountIdentifier(high: 1, low: 1)
    /// The time on the clocks of all nodes.
    static let noon = WallTime(milliseconds: 1_782_907_200_000)

    static func device(_ number: UInt64) -> DeviceIdentifier {
        DeviceIdentifier(high: number << 32, low: number)
    }
}
