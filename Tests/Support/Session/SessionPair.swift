package import BatonCore

/// Two stores that exchange what they have at once, until all is quiet or the connection is cut.
///
/// `play(frames:)` carries frames back and forth; of stores that are in several pairs, the others are told with
/// `handleCommit(in:)`.
package final class SessionPair {
    /// The kinds of the frames that were carried.
    package private(set) var carried: [FrameKind] = []
    /// How many writes were carried.
    package private(set) var carriedWrites = 0
    private let ends: [End]

    /// One side: its session, its store, and the frames that are on their way to it.
    private final class End {
        let number: UInt64
        let store: InMemoryStore
        /// How many lives were made up for what is written anew.
        var lives: UInt64 = 0
        var session: Session
        var arriving: [Frame] = []

        init(_ number: UInt64, _ store: InMemoryStore, _ limits: Limits) {
            (self.number, self.store) = (number, store)
            let device = DeviceIdentifier(high: 9, low: number)
            session = Session(
                own: SessionIdentity(account: World.account, device: device, name: "\(number)", port: nil),
                peer: DeviceIdentifier(high: 9, low: 1 - number), limits: limits, now: Instant(nanoseconds: 0)
            )
        }
    }

    package init(_ one: InMemoryStore, _ two: InMemoryStore, limits: Limits = Limits()) {
        ends = [End(0, one, limits), End(1, two, limits)]
    }

    /// Another pair changed a store of this one.
    package func handleCommit(in store: InMemoryStore) {
        for end in ends where end.store === store {
            for lane in Lane.allCases { end.session.handleCommit(lane) }
        }
    }

    /// Carries so many frames, or until none is left.
    package func play(frames limit: Int = .max) {
        var left = limit
        while true {
            for end in ends { drain(end) }
            guard left > 0, let place = ends.firstIndex(where: { !$0.arriving.isEmpty }) else { return }
            left -= 1
            let frame = ends[place].arriving.removeFirst()
            carried.append(frame.kind)
            if case .batch(let batch)? = try? PeerMessage(frame) { carriedWrites += batch.writes.count }
            ends[place].session.handle(frame)
        }
    }

    /// Whether each side has all that the other has, and knows it.
    package var isInStep: Bool { ends.allSatisfy { $0.session.isInStep } }

    private func drain(_ end: End) {
        while end.session.nextEvent() != nil {}
        while let request = end.session.nextStoreRequest() { end.session.handle(answer(request, end)) }
        let other = end === ends[0] ? ends[1] : ends[0]
        while let frame = end.session.nextFrame() { other.arriving.append(frame) }
    }

    private func answer(_ request: StoreRequest, _ end: End) -> StoreAnswer {
        switch request {
        case .summary(let peer): return .summary(end.store.summary(for: peer))
        case .changes(let request): return .changes(request.lane, end.store.changes(request))
        case .range(let request): return .range(request.lane, end.store.range(request))
        case .keepReports(let reports): return .keptReports(end.store.keep(reports))
        case .apply(var transaction):
            end.lives += 1
            transaction.range?.life = Life(high: end.number + 70, low: end.lives)
            let commit = end.store.commit(transaction)
            end.session.handleCommit(transaction.lane)
            return .applied(commit)
        }
    }
}
