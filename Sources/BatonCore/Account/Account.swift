/// What one device does in an account by itself: it writes, reports what it has, lets traces go, settles and sweeps.
///
/// It is a machine without a disk, a timer or a connection. A driver gives it events, and with them what the rest of the
/// account knows at that moment (`AccountSurroundings`). After each event the driver does what `nextEffect()` says until
/// it says nothing more, and it calls `handleDeadline(in:at:)` when `deadline` has come. The node and the simulator drive
/// the same machine.
///
/// Each part owns its state and hears its own answers; here stands what concerns more than one of them.
package struct Account: Sendable {
    package var writing: Writing
    package var collector: TombstoneCollector
    package var expiry: Expiry
    package var settling: Settling

    package enum Effect: Equatable, Sendable {
        case writing(Writing.Effect)
        case collector(TombstoneCollector.Effect)
        case expiry(Expiry.Effect)
        case settling(Settling.Effect)

        /// Whether it is about what this device writes, which a process that ends in order still finishes.
        package var isWriting: Bool { if case .writing = self { true } else { false } }
    }

    /// Goes on with a journal that was opened, and the reports that the store holds.
    package init(
        of device: DeviceIdentifier, in journal: Journal, knowing reports: Reports, at clocks: Clocks,
        limits: Limits, drawingFrom generator: any RandomNumberGenerator & Sendable
    ) {
        writing = Writing(of: device, in: journal, limits: limits, drawingFrom: generator)
        collector = TombstoneCollector(of: device, knowing: reports, limits: limits)
        expiry = Expiry(of: device, at: clocks, limits: limits)
        settling = Settling(limits)
    }

    // MARK: Commands

    /// The process has begun, and finds what the one before it left to be done.
    package mutating func start(in surroundings: some AccountSurroundings, at now: Instant) {
        if !surroundings.gone.isEmpty { collector.forgetGone(in: surroundings) }
        collector.handleCommit(at: now)
        considerSweep(in: surroundings)
        settle(at: now)
    }

    /// The store took something, from here or from another device.
    package mutating func handle(
        _ commit: StoreCommit, of lane: Lane, in surroundings: some AccountSurroundings, at now: Instant
    ) {
        writing.witness(commit.clock)
        collector.handleCommit(at: now)
        considerSweep(in: surroundings)
        if commit.isUnsettled { settling.begin(lane, at: now) }
    }

    /// The store was opened anew while the account was in use, and may claim less than it did.
    package mutating func handleReopening(
        knowing reports: Reports, in surroundings: some AccountSurroundings, at now: Instant
    ) {
        collector.handleReopening(knowing: reports, in: surroundings)
        settle(at: now)
    }

    /// All that the device claimed at that time of comparing is claimed here.
    package mutating func handle(
        met device: DeviceIdentifier, at time: WallTime, in surroundings: some AccountSurroundings
    ) {
        collector.handleMeeting(in: surroundings)
        expiry.note(met: device, at: time)
        considerSweep(in: surroundings)
    }

    /// A moment to sweep, if it is time.
    package mutating func considerSweep(in surroundings: some AccountSurroundings) {
        expiry.consider(latest: writing.journal.clock.latest, in: surroundings)
    }

    /// The moment of `deadline` came.
    package mutating func handleDeadline(in surroundings: some AccountSurroundings, at now: Instant) {
        writing.handleDeadline(at: now)
        collector.handleDeadline(in: surroundings, at: now)
        settling.handleDeadline(at: now)
    }

    // MARK: Outputs

    /// What is to be done next; nil if nothing is.
    package mutating func nextEffect() -> Effect? {
        if let effect = writing.nextEffect() { return .writing(effect) }
        while let effect = collector.nextEffect() {
            switch effect {
            case .adopt(let strays, let lane):
                writing.adopt(strays, in: lane)
                if let effect = writing.nextEffect() { return .writing(effect) }
            case .beginAnew:
                writing.beginAnew()
                return .collector(effect)
            default: return .collector(effect)
            }
        }
        if let effect = expiry.nextEffect() { return .expiry(effect) }
        return settling.nextEffect().map { .settling($0) }
    }

    /// When `handleDeadline(in:at:)` is to be called.
    package var deadline: Instant? {
        [writing.deadline, collector.deadline, settling.deadline].compactMap(\.self).min()
    }

    /// Why nothing is swept, if a clock is the reason.
    package mutating func sweepingDoubt(at clocks: Clocks) -> Sweeping.Doubt? {
        expiry.doubt(latest: writing.journal.clock.latest, at: clocks)
    }

    private mutating func settle(at now: Instant) {
        for lane in Lane.allCases { settling.begin(lane, at: now) }
    }
}

/// What the clocks of a machine show at one moment.
package struct Clocks: Sendable {
    /// What people see, and may set.
    package let wall: WallTime
    /// What nobody sets.
    package let steady: Instant

    package init(wall: WallTime, steady: Instant) { (self.wall, self.steady) = (wall, steady) }
}

/// What an account asks about its devices, connections and clocks while it handles an event.
package protocol AccountSurroundings {
    /// The other devices of the account; nil if not all are known, or one of them lacks what it once had.
    var waitedFor: Set<DeviceIdentifier>? { get }
    /// The devices that left the account, were revoked, or are gone for good.
    var gone: Set<DeviceIdentifier> { get }
    /// The reports that were told of devices that are waited for.
    var heeded: Reports { get }
    /// Whether some device is connected, and every connected device has the same as this one.
    var isInStep: Bool { get }
    /// How long what has expired is kept; nil if it is kept for good.
    var keepingExpired: Duration? { get }
    var clocks: Clocks { get }
}
