import BatonCore
import Support

/// One node of a `World`: a journal, a disk that answers late, and the sessions with its peers.
final class SimulatedNode {
    /// Distinguishes the node from all others, also from a clone of the same device.
    let number: Int
    let identity: SessionIdentity
    let disk: any SimulatedDisk
    let isFaulty: Bool
    unowned let world: World
    var endpoints: [Endpoint] = []
    var isUp = true
    /// The actions that the process will do once it no longer stands still.
    private var held: [() -> Void]?
    /// When the process last went on after it had stood still.
    private(set) var wentOn: Instant?
    /// Whether its disk is a copy, or holds less than the last process knew.
    var hasOlderDisk = false
    /// Whether its store knew no time when the process began, so that nothing says how old the disk is.
    var knewNoTime = false
    /// Whether writes of its own were lost when its process began.
    var lostWrites = false
    /// The claims here, as far as the process has heard from its store: what a person can have seen.
    var known = VersionVector()
    /// Whether the node is unreachable, and reaches no other.
    var isAway = false
    /// Whether the disk is full, so that every group fails.
    var isFull: Bool {
        get { disk.isFull }
        set { disk.isFull = newValue }
    }
    /// How many more groups with work that the device does by itself its disk refuses.
    var refusals = 0
    /// How many more groups with what the device enters about members its disk refuses.
    var entryRefusals = 0
    /// The subjects of the account that its disk refused and that were not done since.
    var refusedSubjects = RefusedSubjects()
    /// The writes of other devices that it can't read.
    var unreadable: UnreadableWrites?
    /// Whether it may have quarantined writes since its sessions began: it takes what comes behind them, and claims it
    /// only in later sessions.
    var quarantinesWrites = false
    /// Whether its disk never answers.
    var isStuck = false {
        didSet { if oldValue, !isStuck { proceed() } }
    }
    /// The fault that keeps others from hearing of it for good, or it from hearing of them.
    var silence: LastingFault?
    var clock = NodeClock()
    /// The account's state machine, which writes, reports, collects tombstones, settles and sweeps, as in the product.
    var account: Account
    /// Whether its effects are being carried out.
    var isDriving = false
    /// The deadline of which the account will be told.
    var accountDeadline: Instant?
    /// The driver's knowledge of this device's writes, until the disk is asked to store them.
    var ownWrites: [Writing.Ticket: Work.OwnWrite] = [:]
    /// The writes of groups that failed; the disk may have them all the same.
    var entriesInDoubt: [Ledger.Entry] = []
    /// The notes about contacts that the next group of the activities stores.
    var contactNotes: [LocalNote] = []
    /// The random numbers of this node alone.
    var generator: SeededGenerator
    /// The random numbers of the activities' thread.
    var activityGenerator: SeededGenerator
    /// Draws when one thread of the store is much slower than the other.
    var slowness: SeededGenerator
    /// The life that it had before its process was ever started.
    let firstLife: Life
    /// The lives of this device on this node.
    var lives: Set<Life> = []
    var work: [Work] = []
    /// The lanes whose thread is busy.
    var busy: Set<Lane> = []
    /// Counts the runs of the process: nothing that an earlier run waited for reaches a later one.
    var run = 0
    /// The witness outside the home: how far the journal had come in each lane.
    var witness: [Lane: LaneMark] = [:]
    /// The life whose progress the witness of each lane notes.
    var witnessed: [Lane: Life] = [:]
    /// The last transaction of each lane that was sent before it was stored, with its life and the time of its last
    /// write; kept outside the home, too.
    var toldAhead: [Lane: (life: Life, sequence: UInt64, time: HybridTime)] = [:]
    /// Whether it kept a tombstone because a connected device lacked what it once had.
    var waitedForSetBack = false
    /// The vector that the device reported as durable, unless more than a power loss took it.
    var reported = VersionVector()
    /// The order of arrival that its store began last; nil if it began none on this machine.
    var orderBegun: ArrivalOrder?
    /// The orders that its store was to begin since then, each of which a failing disk may have let begin in one lane.
    var ordersTried: Set<ArrivalOrder> = []
    /// Whether its store was asked to begin an order of arrival, and has not done so yet.
    var isOrderAsked = false
    /// Whether its store has an order of arrival that is to end.
    var awaitsOrder: Bool { isOrderAsked || account.writing.deadline != nil }
    /// The lives in which it learnt that another machine wrote, too.
    var sharedLives: Set<Life> = []
    /// The lives in which several machines wrote, as its store answered when the present sweep began.
    var sharedWhenSweeping: Set<Life> = []
    /// The times at which connected devices compare, as they said, each with the moment at which they did.
    var toldTimes: [DeviceIdentifier: (told: WallTime, instant: Instant)] = [:]
    /// Whether it noticed another machine with its identity.
    var hasNoticedTwin = false
    /// The lives whose names must be ordered.
    var lifeOrder = LifeOrder()
    /// The state when the store last gave up its claims; nil if it never did.
    var givenUp: GivenUp?
    /// The reports in the store when the process began, or when it last looked for tombstones to collect.
    var reportsWhenCollecting = Reports()
    /// The members for whose reports the last request to collect tombstones waited.
    var waitedFor: Set<DeviceIdentifier> = []
    /// Whether the device wrote since an older state was restored; nil if none was, or if it met anyone since.
    var restoredAndWrote: Bool?

    /// The last batches that peers sent, for each lane.
    var taken: [Lane: [[Write]]] = [:]
    /// The unended batches that its process has, those that programs of apps send, and the number of batches ever begun.
    var receivedBatches = OpenBatches<ReceivedBatch>()
    var sentBatches: [SentBatch] = []
    var batchCount: UInt64 = 0
    /// Whether the person keeps the index on this device.
    var holdsIndex = false {
        willSet { takeLateFrames() }
        didSet { for endpoint in endpoints { endpoint.handle { $0.handleHoldingIndex(holdsIndex) } } }
    }
    /// Whether its store has activities that it withholds and whose withdrawal is not stored yet.
    var holdsActivities = false {
        willSet { takeLateFrames() }
        didSet {
            guard holdsActivities != oldValue else { return }
            for endpoint in endpoints { endpoint.handle { $0.handleHoldingActivities(holdsActivities) } }
        }
    }
    /// Whether the process ends as soon as all its work is done.
    var isStopping = false
    /// The life of the last process if that ended in order with all writes stored.
    var stoppedWith: Life?

    /// The program that writes to an index here, once it has begun.
    private(set) var program: SimulatedProgram?
    /// Its apps and their driver, in worlds with apps.
    var apps: SimulatedApps?
    /// The papers with which it came into the account, in worlds with a roster.
    var papers: Papers?
    /// The revocations that it keeps beside its store, in worlds with a roster.
    var revocations = SimulatedRevocations()
    /// Whether it is the first device of an account with a roster, and has not entered itself yet.
    var isFirst = false
    /// Writes that nobody signed, which it adds to what it sends next.
    var forgeries: [Journal.Draft] = []

    init(_ number: Int, as identity: SessionIdentity, isFaulty: Bool = false, in world: World) {
        (self.number, self.identity, self.isFaulty, self.world) = (number, identity, isFaulty, world)
        disk = world.makeDisk(of: number, identity)
        generator = SeededGenerator(seed: world.seed, for: "node \(number)")
        activityGenerator = SeededGenerator(seed: world.seed, for: "activities of \(number)")
        slowness = SeededGenerator(seed: world.seed, for: "slowness of \(number)")
        var names = SeededGenerator(seed: world.seed, for: "lives of \(number)")
        let life = Life(after: .zero, of: identity.device, random: names.next())
        firstLife = life
        account = Account(
            in: Journal(life: life, latest: .zero, signer: world.plainSigner(of: identity.device)),
            admitted: OwnAdmission(identity),
            knowing: Membership(own: identity.device), keeping: [], lacking: [], by: world.authority,
            havingWritten: VersionVector(), reports: Reports(),
            quarantined: [], contacts: [], keepingFinished: world.profile.constants.finishedDays,
            at: Clocks(
                wall: clock.time(at: world.now).advanced(by: world.skipped),
                steady: world.now + world.skipped),
            limits: world.limits, drawingFrom: names)
        note(life)
        lifeOrder.inThisProcess = [life]
        if world.profile.hasApps, !isFaulty { apps = SimulatedApps(on: self) }
    }

    deinit { program?.dismiss() }

    /// A program writes to an index here, whether the node runs or not.
    func save() {
        let program = program ?? SimulatedProgram(on: self)
        self.program = program
        program.act()
    }

    /// The node's name; a copy of a copy is told from the others by its number.
    var name: String { identity.name.hasSuffix("'") ? "\(identity.name)\(number)" : identity.name }
    var store: any AccountStore { disk.store }
    /// The content of the store, for those who look at it from outside.
    var contents: any StoreContents { disk.contents }

    /// Asks the store something, free of the world's faults.
    func ask<Value>(_ question: (any AccountStore) throws(StoreFailure) -> Value) -> Value {
        do throws(StoreFailure) { return try question(store) } catch {
            world.end("\(name) can't read its store: \(error)")
        }
    }

    /// The journal, which names the writes of this device.
    var journal: Journal { account.writing.journal }

    /// Returns a life that begins later than everything that this process wrote or saw.
    func newLife() -> Life {
        let life = drive { $0.writing.newLife() }
        note(life)
        return life
    }

    func note(_ life: Life) {
        lives.insert(life)
        world.noteLife(life, of: self)
    }

    /// Whether the store has an unclaimed write of an earlier life of this device.
    var hasOwnStrays: Bool {
        let (contents, own) = (contents, journal.life)
        let complete = contents.complete
        return contents.survivingWrites.contains {
            !complete.covers($0.dot) && $0.dot.origin.life.isOfDevice(of: own)
        }
    }

    /// Ends all sessions; the links begin others.
    func meetAnew() {
        for endpoint in endpoints {
            endpoint.handle { $0.close(CloseReason(.startingOver, "this device begins anew")) }
        }
    }

    /// The time of the node's wall clock.
    var wallTime: WallTime { clock.time(at: world.now).advanced(by: world.skipped) }

    /// Whether sessions with it can be begun.
    var isReachable: Bool { isUp && !isAway }

    /// Runs an action later, and not while the process stands still; never if the process ends before.
    func later(_ delay: Int, _ action: @escaping () -> Void) {
        let run = run
        world.enter(at: world.now + .milliseconds(delay)) { [self] in
            guard run == self.run else { return }
            if held == nil { action() } else { held?.append { if run == self.run { action() } } }
        }
    }

    var isPaused: Bool { held != nil }

    /// Makes the process stand still.
    func pause() { if held == nil { held = [] } }

    /// Lets the process go on.
    func resume() {
        if held != nil { wentOn = world.now }
        let actions = held ?? []
        held = nil
        for action in actions { action() }
    }

    /// Whether everything that it holds is claimed.
    var isSettled: Bool {
        let complete = contents.complete
        return contents.survivingWrites.allSatisfy { complete.covers($0.dot) }
    }
}

/// A wall clock, which may be wrong.
struct NodeClock {
    /// The error of the clock.
    var offset = Duration.zero

    /// The start of the world, in the year 2023.
    static let beginning: Int64 = 1_700_000_000_000

    func time(at now: Instant) -> WallTime {
        WallTime(milliseconds: Self.beginning + Int64(now.nanoseconds / 1_000_000)).advanced(by: offset)
    }
}
