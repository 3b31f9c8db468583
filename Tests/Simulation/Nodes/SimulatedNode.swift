import BatonCore
import Support

/// One node of a `World`: a journal, a disk that answers late, and the sessions with its peers.
final class SimulatedNode {
    /// Tells the node from all others, also from a clone of the same device.
    let number: Int
    let identity: SessionIdentity
    let disk: any SimulatedDisk
    let isFaulty: Bool
    unowned let world: World
    var endpoints: [Endpoint] = []
    var isUp = true
    /// While the process stands still, what it will do then.
    private var held: [() -> Void]?
    /// What is claimed here, as far as the process has heard from its store: what a person can have seen.
    var known = VersionVector()
    /// Nobody reaches it, and it reaches nobody.
    var isAway = false
    /// Every group fails while the disk is full.
    var isFull: Bool {
        get { disk.isFull }
        set { disk.isFull = newValue }
    }
    /// Its disk never answers.
    var isStuck = false {
        didSet { if oldValue, !isStuck { proceed() } }
    }
    /// The fault that keeps others from hearing of it, or it from hearing of them, for good.
    var silence: LastingFault?
    var clock = NodeClock()
    /// Writes, reports, lets traces go, settles and sweeps, as in the product.
    var account: Account
    /// Whether its effects are being carried out.
    var isDriving = false
    /// Of which deadline it will be told.
    var accountDeadline: Instant?
    /// What is known of what this device writes, until the disk is asked to keep it.
    var ownWrites: [Writing.Ticket: Work.OwnWrite] = [:]
    /// Random numbers of this node alone.
    var generator: SeededGenerator
    /// Those of the thread of the activities.
    var activityGenerator: SeededGenerator
    /// Says when a thread of the store is much slower than the other one.
    var slowness: SeededGenerator
    /// Lives of this device here.
    var lives: Set<Life> = []
    var work: [Work] = []
    /// The lanes of which the store is at something.
    var busy: Set<Lane> = []
    /// Counts the runs of the process: what an earlier one was waiting for does not come.
    var run = 0
    /// What lies outside the home: how far the journal had come in each lane.
    var witness: [Lane: LaneMark] = [:]
    /// The life whose progress the witness of each lane notes.
    var witnessed: [Lane: Life] = [:]
    /// The last transaction of each lane of which others were told before it was kept, with its life and the time of its
    /// last write; it lies there, too.
    var toldAhead: [Lane: (life: Life, sequence: UInt64, time: HybridTime)] = [:]
    /// Whether it kept a trace because a connected device lacked what it once had.
    var waitedForSetBack = false
    /// What the device said to have for good, unless more than power took it.
    var reported = VersionVector()
    /// Whether an older state was put back and nobody was met since; it says whether it wrote meanwhile.
    var restoredAndWrote: Bool?

    /// The last batches that peers sent, for each lane.
    var taken: [Lane: [[Write]]] = [:]
    /// Batches that its apps have begun and not ended, and how many there ever were.
    var openBatches: [OpenBatch] = []
    var batchCount: UInt64 = 0
    /// Whether the person wants nothing of the index to leave the device.
    var holdsIndex = false {
        didSet { for endpoint in endpoints { endpoint.handle { $0.handle(holdsIndex: holdsIndex) } } }
    }
    /// Whether the process ends as soon as nothing is left to be done.
    var isStopping = false
    /// The life with which the last process ended in order, and all of whose writes were kept.
    var stoppedWith: Life?

    /// Its apps and what it does for them, in worlds with apps.
    var apps: SimulatedApps?
    /// How it came into the account, in worlds with a roster.
    var papers: Papers?
    /// Whether it is the first device of an account with a roster, and has not entered itself yet.
    var isFirst = false

    init(_ number: Int, as identity: SessionIdentity, isFaulty: Bool = false, in world: World) {
        (self.number, self.identity, self.isFaulty, self.world) = (number, identity, isFaulty, world)
        disk = world.makeDisk(of: number, identity)
        generator = SeededGenerator(seed: world.seed, for: "node \(number)")
        activityGenerator = SeededGenerator(seed: world.seed, for: "activities of \(number)")
        slowness = SeededGenerator(seed: world.seed, for: "slowness of \(number)")
        var names = SeededGenerator(seed: world.seed, for: "lives of \(number)")
        let life = Life(after: .zero, of: identity.device, random: names.next())
        account = Account(
            in: Journal(life: life, latest: .zero), admitted: OwnAdmission(identity), knowing: [],
            by: world.authority, havingWritten: VersionVector(), reports: Reports(),
            at: Clocks(
                wall: clock.time(at: world.now).advanced(by: world.skipped),
                steady: world.now + world.skipped),
            limits: world.limits, drawingFrom: names)
        note(life)
        if world.profile.hasApps, !isFaulty { apps = SimulatedApps(on: self) }
    }

    /// A copy of a copy is told from the others by its number.
    var name: String { identity.name.hasSuffix("'") ? "\(identity.name)\(number)" : identity.name }
    var store: any AccountStore { disk.store }
    /// What stands in the store, for those who look at it from outside.
    var contents: any StoreContents { disk.contents }

    /// Asks the store something that nothing in a world keeps it from answering.
    func ask<Value>(_ question: (any AccountStore) throws(StoreFailure) -> Value) -> Value {
        do throws(StoreFailure) { return try question(store) } catch {
            world.end("\(name) can't read its store: \(error)")
        }
    }

    /// What names the writes of this device.
    var journal: Journal { account.writing.journal }

    /// A life that begins later than all that this process wrote or saw.
    func newLife() -> Life {
        let life = drive { $0.writing.newLife() }
        note(life)
        return life
    }

    func note(_ life: Life) {
        lives.insert(life)
        world.noteLife(life, of: self)
    }

    /// Whether something stands here that an earlier life of this device wrote, and that is not claimed.
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

    /// What the node's wall clock says.
    var wallTime: WallTime { clock.time(at: world.now).advanced(by: world.skipped) }

    /// Whether sessions with it can be begun.
    var isReachable: Bool { isUp && !isAway }

    /// Does something later, and not while the process stands still; never if the process ends before.
    func later(_ delay: Int, _ action: @escaping () -> Void) {
        let run = run
        world.enter(at: world.now + .milliseconds(delay)) { [self] in
            guard run == self.run else { return }
            if held == nil { action() } else { held?.append { if run == self.run { action() } } }
        }
    }

    var isPaused: Bool { held != nil }

    /// The process stands still.
    func pause() { if held == nil { held = [] } }

    /// It goes on.
    func resume() {
        let actions = held ?? []
        held = nil
        for action in actions { action() }
    }

    /// Whether all that it holds is claimed.
    var isSettled: Bool {
        let complete = contents.complete
        return contents.survivingWrites.allSatisfy { complete.covers($0.dot) }
    }
}

/// A wall clock, which may be wrong.
struct NodeClock {
    /// By how much it is wrong.
    var offset = Duration.zero

    /// When the world begins, in the year 2023.
    static let beginning: Int64 = 1_700_000_000_000

    func time(at now: Instant) -> WallTime {
        WallTime(milliseconds: Self.beginning + Int64(now.nanoseconds / 1_000_000)).advanced(by: offset)
    }
}
