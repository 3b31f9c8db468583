import BatonCore
import Support

/// The work of a store, and the two threads that do it, as in a node.
extension SimulatedNode {
    /// The work that waits for the store, in order.
    enum Work {
        /// A request of a session, with the wall time at which it was made.
        case request(StoreRequest, Endpoint, asked: WallTime)
        /// A transaction of this device; one that names no write has no ticket.
        case write(StoreTransaction, OwnWrite, Writing.Ticket?)
        /// Changes of a batch that has not ended.
        case stage([Journal.Draft], BatchIdentifier)
        /// A batch that is given up.
        case discard(BatchIdentifier)
        /// Claims of a lane that are to be made durable.
        case report(VersionVector, Lane)
        /// A question of the tombstone collector about the whole account.
        case ask(TombstoneCollector.Request)
        /// The question in which lives more than one machine writes.
        case askSharedLives
        case sweep(SweepRequest, Lane)
        /// The remaining work of clears.
        case settle(Lane)
        /// From now on the witness of a lane notes how far that life comes; nil for none, of which it knows nothing.
        case witness(Life?, Lane)
        /// A new order of arrival.
        case beginOrder(ArrivalOrder)

        /// The driver's knowledge of a transaction of this device.
        struct OwnWrite {
            let isBatch: Bool
            /// The vector that was claimed here when its writes were named.
            let seen: VersionVector
            /// Whether it came from a sweep and not from an app; then it is not in the ledger.
            var isSwept = false
            /// Whether the account wrote it by itself.
            var isOfAccount = false
            /// Whether it is a change of an activity, which the account wrote for an app.
            var isOfActivity = false
            /// Called with all writes once they are stored.
            let acknowledge: ([Write]) -> Void
            /// The staged changes of the batch that ends with it.
            var staged: [Journal.Draft] = []
            /// Called if nothing was stored.
            var failed: (StoreFailure) -> Void = { _ in }
        }

        /// The lane that the work concerns, or nil if it concerns the whole account.
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

        /// Whether the work must survive a power loss.
        var isDurable: Bool {
            switch self {
            case .write(_, let own, _): own.isBatch
            case .report: true
            default: false
            }
        }

        /// Whether the device does it by itself, and has to try it again after a failure.
        var isUpkeep: Bool {
            switch self {
            case .report, .ask, .askSharedLives, .sweep, .settle, .beginOrder: true
            case .request, .write, .stage, .discard, .witness: false
            }
        }

        /// Whether the account enters by itself that devices are members.
        var entersMembers: Bool {
            guard case .write(let transaction, let own, _) = self, own.isOfAccount else { return false }
            return transaction.writes.contains { [.rosterStatement, .device].contains($0.identity.kind) }
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

    /// Draws for a lane: the activities have random numbers of their own, so that each lane takes its time.
    func draw<Value>(_ lane: Lane?, _ body: (inout SeededGenerator) -> Value) -> Value {
        lane == .activities ? body(&activityGenerator) : body(&generator)
    }

    /// Starts each idle lane's next work.
    ///
    /// Work that concerns the account starts when it is next and both lanes are idle.
    func proceed() {
        guard !isStuck else { return }
        for lane in [Lane.index, .activities] where !busy.contains(lane) && !next(in: lane).isEmpty {
            goOn(in: lane)
        }
        if busy.isEmpty, isAccountNext { goOnWithAccount() }
    }

    /// Returns the work that a lane may do now: all before the first work that concerns the account.
    ///
    /// The activities lane may also do later work until the index has come to that point.
    private func next(in lane: Lane) -> [Work] {
        let waitsForAccount = lane == .index || isAccountNext
        return work.prefix { !waitsForAccount || $0.lane != nil }.filter { $0.lane == lane }
    }

    /// Whether the index is idle, and its next work concerns the account.
    private var isAccountNext: Bool {
        guard !busy.contains(.index), let next = work.first(where: { $0.lane != .activities }) else {
            return false
        }
        return next.lane == nil
    }

    private func goOn(in lane: Lane) {
        busy.insert(lane)
        afterWhile(lane) { [self] in
            // A failure in the other lane may have removed the work that waited for this one.
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

    /// Removes the first pieces of work of a lane, up to that many, and returns them.
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

    /// Runs an action when the disk has taken its time, now and then as much time as the other lane needs for many
    /// things.
    private func afterWhile(_ lane: Lane?, _ action: @escaping () -> Void) {
        let factor = lane != nil && slowness.chance(world.profile.slowLanes) ? 20 : 1
        later(factor * draw(lane) { $0.number(0...world.delay) }, action)
    }

    /// Has the witness of a lane note how far a life comes, or forget what it knows.
    func note(witnessed life: Life?, in lane: Lane) {
        witnessed[lane] = life
        if life == nil { witness[lane] = nil }
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
