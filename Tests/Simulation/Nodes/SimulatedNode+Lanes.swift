import BatonCore
import Support

/// What the store is to do, and the two threads that do it, as those of a node.
extension SimulatedNode {
    /// What the store is to do, in the order in which it came.
    enum Work {
        /// With what the clock said when it was asked.
        case request(StoreRequest, Endpoint, asked: WallTime)
        /// A transaction of this device; one that names no write has no ticket.
        case write(StoreTransaction, OwnWrite, Writing.Ticket?)
        /// Changes of a batch that has not ended.
        case stage([Journal.Draft], BatchIdentifier)
        /// A batch that will not end.
        case discard(BatchIdentifier)
        /// Claims of a lane that are to be kept for good.
        case report(VersionVector, Lane)
        /// What letting go asks about the whole account.
        case ask(TombstoneCollector.Request)
        /// In which lives more than one machine writes.
        case askSharedLives
        case sweep(SweepRequest, Lane)
        /// What clears have left to be done.
        case settle(Lane)
        /// The witness of a lane notes from now on how far that life comes.
        case witness(Life, Lane)
        /// A new order of arrival.
        case beginOrder(ArrivalOrder)

        /// What else is known of a transaction of this device.
        struct OwnWrite {
            let isBatch: Bool
            /// What was known to be claimed here when its writes were named.
            let seen: VersionVector
            /// Whether nobody asked for it: then it is not in the ledger.
            var isSwept = false
            /// Told all that was written.
            let acknowledge: ([Write]) -> Void
            /// The staged changes of the batch that ends with it.
            var staged: [Journal.Draft] = []
            /// Told that nothing was.
            var failed: (StoreFailure) -> Void = { _ in }
        }

        /// The lane that it concerns; nothing if that is the whole account.
        var lane: Lane? {
            switch self {
            case .request(let request, _, _): return request.lane
            case .write(let transaction, _, _): return transaction.lane
            case .askSharedLives: return .activities
            case .stage, .discard: return .index
            case .sweep(_, let lane), .settle(let lane), .report(_, let lane), .witness(_, let lane):
                return lane
            case .ask, .beginOrder: return nil
            }
        }

        /// Whether it is to survive the loss of power.
        var isDurable: Bool {
            switch self {
            case .write(_, let own, _): own.isBatch
            case .report: true
            default: false
            }
        }

        /// Whether the store failed its session before.
        var isInVain: Bool {
            guard case .request(let request, let endpoint, _) = self else { return false }
            return request.lane.map(endpoint.failedLanes.contains) ?? !endpoint.failedLanes.isEmpty
        }
    }

    func enter(_ item: Work) {
        guard !item.isInVain else { return }
        work.append(item)
        proceed()
    }

    /// Draws for a lane: the activities have numbers of their own, so that each lane takes its time.
    func draw<Value>(_ lane: Lane?, _ body: (inout SeededGenerator) -> Value) -> Value {
        lane == .activities ? body(&activityGenerator) : body(&generator)
    }

    /// Each lane that is at nothing goes on, and what concerns the account is begun when it is the next, and neither
    /// lane is at anything.
    func proceed() {
        guard !isStuck else { return }
        for lane in [Lane.index, .activities] where !busy.contains(lane) && !next(in: lane).isEmpty {
            goOn(in: lane)
        }
        if busy.isEmpty, isAccountNext { goOnWithAccount() }
    }

    /// What a lane may do now: what came before anything that concerns the account, and the activities what came later,
    /// too, until the index has come to that.
    private func next(in lane: Lane) -> [Work] {
        let waitsForAccount = lane == .index || isAccountNext
        return work.prefix { !waitsForAccount || $0.lane != nil }.filter { $0.lane == lane }
    }

    /// Whether the index is at nothing, and what comes next to it concerns the account.
    private var isAccountNext: Bool {
        guard !busy.contains(.index), let next = work.first(where: { $0.lane != .activities }) else {
            return false
        }
        return next.lane == nil
    }

    private func goOn(in lane: Lane) {
        busy.insert(lane)
        afterWhile(lane) { [self] in
            // What failed in the other lane may have taken away what waited for this one.
            var items = next(in: lane)
            guard !items.isEmpty else { return end([lane], []) }
            items = Array(items.prefix(draw(lane) { $0.number(1...items.count) }))
            take(items.count, of: lane)
            let outcomes = perform(items, in: lane)
            witness[lane] = mark(of: lane)
            let claimed = contents.complete.restricted(to: lane)
            afterWhile(lane) { [self] in
                known = known.restricted(to: lane == .activities ? .index : .activities)
                known.join(claimed)
                end([lane], outcomes)
            }
        }
    }

    private func goOnWithAccount() {
        busy = Set(Lane.allCases)
        afterWhile(nil) { [self] in
            let waiting = work.prefix { $0.lane == nil }.count
            guard waiting > 0 else { return end(busy, []) }
            var outcomes: [() -> Void] = []
            // Each by itself, one after the other.
            for _ in 0..<generator.number(1...waiting) {
                guard let item = work.first, item.lane == nil else { break }
                work.removeFirst()
                outcomes += perform([item], in: nil)
            }
            for lane in Lane.allCases { witness[lane] = mark(of: lane) }
            let claimed = contents.complete
            afterWhile(nil) { [self] in
                known = claimed
                end(busy, outcomes)
            }
        }
    }

    /// Takes the first so many things of a lane off the list.
    private func take(_ count: Int, of lane: Lane) {
        var left = count
        work.removeAll { item in
            guard left > 0, item.lane == lane else { return false }
            left -= 1
            return true
        }
    }

    private func end(_ lanes: Set<Lane>, _ outcomes: [() -> Void]) {
        busy.subtract(lanes)
        for outcome in outcomes { outcome() }
        proceed()
        endIfDone()
    }

    /// Does something when the disk has taken its time, now and then as much as the other lane needs for many things.
    private func afterWhile(_ lane: Lane?, _ action: @escaping () -> Void) {
        let factor = lane != nil && slowness.chance(world.profile.slowLanes) ? 20 : 1
        later(factor * draw(lane) { $0.number(0...world.delay) }, action)
    }

    private func mark(of lane: Lane) -> LaneMark? {
        guard let life = witnessed[lane] else { return nil }
        return ask { (store) throws(StoreFailure) in try store.lane(lane).mark(of: life) }
    }
}

extension StoreRequest {
    /// The lane that a request concerns, or nil if it concerns the whole account.
    fileprivate var lane: Lane? {
        switch self {
        case .changes(let request): request.lane
        case .range(let request): request.lane
        case .apply(let transaction): transaction.lane
        case .sums(let lane, _): lane
        case .part(let request): request.lane
        case .summary, .keepReports, .check: nil
        }
    }
}
