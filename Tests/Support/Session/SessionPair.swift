package import BatonCore

/// Two stores that exchange their records at once, until all is quiet or the connection is cut.
///
/// `play(frames:)` carries frames back and forth. If a store is in several pairs, the others are told of commits with
/// `handleCommit(in:)`.
package final class SessionPair {
    /// The kinds of the frames that were carried.
    package private(set) var carried: [FrameKind] = []
    /// The number of writes that were carried.
    package private(set) var carriedWrites = 0
    private let ends: [End]

    /// One side: its session, its store, and the frames in transit to it.
    private final class End {
        let number: UInt64
        let store: InMemoryStore
        /// The number of lives that were made up for writes that are written anew.
        var lives: UInt64 = 0
        var session: Session
        var arriving: [Frame] = []
        var differences: [Difference?] = []
        /// The time of this side's wall clock.
        let clock: WallTime

        init(
            _ number: UInt64, _ store: InMemoryStore, _ limits: Limits, _ features: Features,
            _ clock: WallTime
        ) {
            (self.number, self.store, self.clock) = (number, store, clock)
            let device = DeviceIdentifier(high: 9, low: number)
            session = Session(
                own: SessionIdentity(
                    account: AccountIdentifier(high: 1, low: 1), device: device, name: "\(number)", port: nil,
                    features: features),
                peer: DeviceIdentifier(high: 9, low: 1 - number), of: AccountIdentifier(high: 1, low: 1),
                limits: limits, now: Instant(nanoseconds: 0))
        }
    }

    /// Creates a pair of two stores; the program of the second one offers these features.
    package init(
        _ one: InMemoryStore, _ two: InMemoryStore, limits: Limits = Limits(),
        offering features: Features = .offered, clocks: [WallTime] = [noon, noon]
    ) {
        ends = [End(0, one, limits, .offered, clocks[0]), End(1, two, limits, features, clocks[1])]
    }

    /// The time of wall clocks: the first of July 2026, at noon.
    package static let noon = WallTime(milliseconds: 1_782_907_200_000)

    /// The differences that each side noticed; nil where one was over.
    package var differences: [[Difference?]] { ends.map(\.differences) }

    /// The number of bytes that were carried, with the heads of frames.
    package private(set) var carriedBytes = 0

    /// The reason for which a side broke off, or nil.
    package private(set) var closed: CloseReason?

    /// Lets the time of each side's deadline come, as often as there is one.
    package func handleDeadlines() {
        for end in ends {
            while let deadline = end.session.deadline {
                now = max(now, deadline)
                end.session.handleDeadline(now: now)
            }
        }
    }

    private var now = Instant(nanoseconds: 1)

    /// The times at which each side compares once more, or nil.
    package var deadlines: [Instant?] { ends.map { $0.session.deadline } }

    /// Another pair changed a store of this pair.
    package func handleCommit(in store: InMemoryStore) {
        for end in ends where end.store === store {
            for lane in Lane.allCases { end.session.handleCommit(lane) }
        }
    }

    /// Carries frames until this many were carried, or none is left.
    package func play(frames limit: Int = .max) {
        var left = limit
        while true {
            for end in ends { drain(end) }
            guard left > 0, let place = ends.firstIndex(where: { !$0.arriving.isEmpty }) else { return }
            left -= 1
            let frame = ends[place].arriving.removeFirst()
            carried.append(frame.kind)
            carriedBytes += frame.encoded.count
            if case .batch(let batch)? = try? PeerMessage(frame) { carriedWrites += batch.writes.count }
            ends[place].session.handleFrame(frame)
        }
    }

    /// The backlog as each side sees it.
    package var backlog: [SyncBacklog?] { ends.map { $0.session.backlog() } }

    /// Whether each side has all that the other has, and knows it.
    package var isInStep: Bool { ends.allSatisfy { $0.session.isInStep } }

    private func drain(_ end: End) {
        noteEvents(of: end)
        while let request = end.session.nextStoreRequest() { end.session.handleAnswer(answer(request, end)) }
        noteEvents(of: end)
        let other = end === ends[0] ? ends[1] : ends[0]
        while let frame = end.session.nextFrame() { other.arriving.append(frame) }
    }

    private func noteEvents(of end: End) {
        while let event = end.session.nextEvent() {
            switch event {
            case .differed(let difference): end.differences.append(difference)
            case .agreed: if !end.differences.isEmpty { end.differences.append(nil) }
            case .closedHere(let reason): closed = reason
            default: break
            }
        }
    }

    private func answer(_ request: StoreRequest, _ end: End) -> StoreAnswer {
        switch request {
        case .summary(let peer): return .summary(end.store.summary(for: peer, now: end.clock))
        case .changes(let request): return .changes(request.lane, end.store.changes(request))
        case .range(let request): return .range(request.lane, end.store.range(request))
        case .keepReports(let reports): return .keptReports(end.store.keep(reports))
        case .check(let time): return .check(end.store.check(toldAt: time, now: end.clock))
        case .sums(let lane, let time): return .sums(end.store.recount(lane, at: time))
        case .part(let request): return .part(request.lane, end.store.part(request))
        case .apply(var transaction):
            end.lives += 1
            transaction.renewingLife = Life(high: end.number + 70, low: end.lives)
            do throws(StoreFailure) {
                let commit = try end.store.commit(transaction)
                end.session.handleCommit(transaction.lane)
                return .applied(transaction.lane, commit)
            } catch {
                return .failed(error)
            }
        }
    }
}
