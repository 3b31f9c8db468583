package import BatonCore
import Support

/// A few nodes and everything that happens to them, drawn by one seed and played in virtual time.
///
/// First faults strike while apps write; then all heals, and the nodes must agree, know that they do, and fall silent.
/// `run()` returns the first violation of a promise.
package final class World {
    /// The account of its nodes.
    let account: AccountIdentifier
    /// The neighbouring account, some of whose nodes run where nodes of this one do; the events of both are
    /// interleaved.
    private(set) var neighbour: World?
    /// The world of which this one is the neighbour.
    private(set) weak var host: World?
    /// Connections between the two accounts that should not exist.
    var wrongLinks: [Link] = []

    package let seed: UInt64
    package let profile: Profile
    let limits: Limits
    /// The kind of store that its nodes have.
    package let store: StoreName
    /// The additional troubles of stores in files.
    let diskTroubles: DiskTroubles
    var streams: Streams
    let ledger = Ledger()
    /// The records that programs of apps sent for a batch, by the dot that the batch took.
    var sentBatches: [Dot: Set<RecordIdentity>] = [:]
    /// The number of times that each rare event was reached.
    package internal(set) var marks = Marks()
    /// Changes what stores are asked to store, so that a test can see that worlds find it.
    package var sabotage: ((inout StoreTransaction) -> Void)?
    /// The nodes that were once part of it and are not any more.
    var everyoneGone: [SimulatedNode] { gone }
    /// The nodes that are part of it, including the faulty one.
    private(set) var nodes: [SimulatedNode] = []
    /// The nodes that were once part of it, kept for bytes in transit.
    private(set) var gone: [SimulatedNode] = []
    private(set) var links: [Link] = []
    /// Links of gone devices, over which a side may still believe to be connected.
    private var oldLinks: [Link] = []
    /// The devices for which tombstones are kept.
    private(set) var roster: Set<DeviceIdentifier> = []
    /// All devices that were ever part of it.
    private(set) var members: Set<DeviceIdentifier> = []
    /// A vector of everything that was ever garbage-collected, also by stores that do not remember it.
    private(set) var everDropped = VersionVector()
    /// Makes the statements that owners sign, and knows which are real.
    let authority: SimulatedAuthority
    /// All statements of owners, stored or not.
    var issued: [RosterStatement] = []
    /// The client states that a range took from some node.
    var statesGivenUp: Set<RecordIdentity> = []
    /// The records in which one node was made to differ from all others.
    var plantedDifferences: Set<RecordIdentity> = []
    /// The time until which no other device is declared gone that will return.
    var pardoned: Instant?
    /// The jobs that index here; each may run on any node.
    let jobs: [ClientStateName]
    private(set) var isHealed = false
    /// The days that were skipped without other events, by all clocks.
    var skipped = Duration.zero
    /// The records of which a device can't read what is written.
    var unreadableRecords: Set<RecordIdentity> = []
    /// Whether devices compare what they hold in the sessions that begin now.
    private(set) var isComparing: Bool
    /// Whether nodes sweep in the end, when nothing is written any more.
    var isExpiring = false
    /// The vectors that devices ever reported as durable, also those that were lost since.
    var reportedEver: [DeviceIdentifier: VersionVector] = [:]
    /// The records that were swept somewhere.
    var swept = Swept()
    /// The first violation of a promise; the world ends with it.
    private(set) var violation: Violation?
    private let agenda: Agenda
    private var story: Story
    private(set) var checkers: [any Checker] = []
    /// The checker of activities, where nodes have apps.
    private(set) var freshness: FreshestPayload?
    /// Whether nothing comes after the present judgement.
    var isEnding = false
    /// Whether the phase is played in which all devices meet again.
    private(set) var isMeeting = false
    /// Measures how much is sent, while it is set.
    var meter: CostOfMeeting?
    private var nextNumber = 0
    /// The recorded positions of the random streams of the whole world and its neighbour.
    private let recording: Recording?
    /// The planned events that took place, including those of the neighbour.
    package private(set) var events: [PlannedEvent] = []
    /// The names of the lives of all nodes, including the neighbour's.
    private var lifeNames: [Life: String] = [:]
    /// The number of lives that each node began, by its name.
    private var livesBegun: [String: Int] = [:]

    /// Makes a world from a seed and a profile; its story costs time, and is kept only if it is told.
    package init(
        seed: UInt64, profile: Profile, on store: StoreName = .memory, _ diskTroubles: DiskTroubles = .all,
        along recording: Recording? = nil, isTold: Bool = false
    ) {
        self.recording = recording
        (self.seed, self.profile, self.store, story) = (seed, profile, store, Story(isTold: isTold))
        (self.diskTroubles, agenda) = (diskTroubles, Agenda())
        account = AccountIdentifier(high: 1, low: 1)
        streams = Streams(seed: seed)
        authority = SimulatedAuthority(seed: seed)
        (limits, isComparing) = (profile.limits, profile.comparesStates)
        jobs = Self.jobs(of: profile)
        settle()
        if profile.neighbours > 0 { neighbour = World(beside: self) }
    }

    /// Makes the account whose nodes run beside those of another one.
    private init(beside host: World) {
        (seed, profile, store) = (host.seed &+ 0x5eed, host.profile.ofNeighbour, host.store)
        (diskTroubles, agenda, story) = (host.diskTroubles, host.agenda, Story(isTold: false))
        account = AccountIdentifier(high: 1, low: 2)
        (streams, authority) = (Streams(seed: seed), SimulatedAuthority(seed: seed))
        (limits, jobs, self.host, recording) = (host.limits, Self.jobs(of: profile), host, nil)
        isComparing = profile.comparesStates
        settle()
    }

    private static func jobs(of profile: Profile) -> [ClientStateName] {
        guard profile[.index] > 0 || profile[.stage] > 0 else { return [] }
        let jobs = ["a", "b"].map { ClientStateName(app: "org.example", index: $0) }
        return profile[.search] > 0 ? jobs + [ClientStateName(app: "org.other", index: "a")] : jobs
    }

    /// Adds the first devices.
    private func settle() {
        checkers = Self.allCheckers(of: self)
        freshness = checkers.lazy.compactMap { $0 as? FreshestPayload }.first
        for number in 0..<max(2, profile.nodes) {
            if profile.droppedDevices.contains(number) {
                // The others keep their numbers and identifiers.
                nextNumber += 1
                _ = streams["devices"].identifier() as DeviceIdentifier
            } else {
                join()
            }
        }
        if profile[.rubbish] > 0 { join(isFaulty: true) }
        if profile.shape == .changing { changeLinks() }
    }

    /// Makes the world of a seed with the profile of that name.
    package convenience init(
        seed: UInt64, _ name: ProfileName = .swarm, on store: StoreName = .memory, isTold: Bool = false
    ) {
        self.init(seed: seed, profile: name.profile(for: seed), on: store, isTold: isTold)
    }

    /// Plays the world to its end; returns the violation, or nil.
    package func run() -> Violation? {
        tell("a world of \(profile)")
        // Pending actions refer to this world, and would keep it in memory.
        defer {
            agenda.clear()
            recording?.complete()
        }
        trouble()
        if violation == nil { neighbour?.heal() }
        if violation == nil, let fault = profile.lasting, plays(.enduring) { endure(fault) }
        if violation == nil { heal() }
        // An account with too few devices left can't be judged any further.
        if profile.hasRoster, honest.count < 2 { return violation }
        if hasTwins {
            if violation == nil { letTwinsMeet() }
            return violation
        }
        if violation == nil, streams["phases"].chance(30), plays(.restless) { goOnWithoutRest() }
        if violation == nil { comeToRest() }
        if violation == nil, profile[.failedUpkeep] > 0, plays(.refusing) { refuseUpkeep() }
        if violation == nil, profile.plantsDifference, plays(.repairing) { plantDifference() }
        if violation == nil, profile.collects, plays(.collecting) {
            collectAll()
            hearAgain()
        }
        if violation == nil, plays(.meeting) { reconnect() }
        if violation == nil, profile[.day] > 0, plays(.expiring) { expireAll() }
        if violation == nil { playLaterPhases() }
        isEnding = true
        judgeAtRest()
        if violation == nil { neighbour?.comeToRest() }
        if violation == nil, profile[.day] > 0, plays(.alone) { expireAlone() }
        return violation
    }

    /// The story's lines, one per event.
    package var lines: [String] { story.lines }
    /// A hash that is the same for each run of a seed and a profile.
    package var traceHash: UInt64 { story.hash }

    // MARK: For those who live here

    var now: Instant { agenda.now }

    /// The longest that a message or a disk takes now.
    var delay: Int { isHealed ? min(3, profile.delay) : profile.delay }

    func enter(at due: Instant, _ action: @escaping () -> Void) { agenda.enter(at: due, action) }

    /// Reports a violation of a promise; the world keeps the first one.
    func violate(
        _ promise: Promise, about subject: Violation.Subject = Violation.Subject(),
        _ sentence: @autoclosure () -> String
    ) {
        guard violation == nil else { return }
        let found = Violation(promise: promise, subject: subject, text: sentence())
        violation = found
        tellStandings()
        tell("\(Self.found) \(found)")
        // A promise that the neighbour breaks ends this world as well.
        host?.violate(promise, about: subject, "beside it, \(found.text)")
        neighbour?.violation = found
    }

    /// Ends the process after an event that the world can't survive.
    func end(_ sentence: String) -> Never {
        let story = lines.suffix(100).map { "\($0)\n" }.joined()
        fatalError("\(story)seed \(seed): \(sentence)")
    }

    /// Adds a line to the story.
    func tell(_ line: @autoclosure () -> String) {
        if let host { host.tell("beside: \(line())") } else { story.tell(now, line) }
    }

    /// Adds numbers to the hash of all events.
    func mix(_ first: UInt64, _ second: UInt64) {
        if let host { host.mix(first, second) } else { story.mix(now.nanoseconds, first, second) }
    }

    /// Returns whether a fault strikes now, by its rate in a thousand; none does once all is healed.
    func happens(_ fault: Fault) -> Bool {
        let rate = profile[fault]
        guard rate > 0, !isHealed else { return false }
        return streams[fault.rawValue].number(0...999) < rate
    }

    /// Lets devices compare in all sessions that begin from now on.
    func beginComparing() { isComparing = true }

    /// Ends the effects of all faults.
    func endFaults() { isHealed = true }

    // MARK: Dropping

    /// Returns whether a phase is played.
    func plays(_ phase: Phase) -> Bool { !profile.droppedPhases.contains(phase) }

    /// Begins a phase, which draws what it draws in the whole world.
    func begin(_ phase: Phase) {
        isMeeting = phase == .meeting
        align(.phase(phase, isBeside: host != nil), "phases", "restless")
    }

    /// Returns whether a due event takes place, and is not dropped.
    func takesPlace(_ event: PlannedEvent) -> Bool {
        guard !profile.dropped.contains(event) else { return false }
        (host ?? self).events.append(event)
        return true
    }

    /// Makes the following events draw what they draw in the whole world, whatever was dropped before.
    func align(_ place: Recording.Place, _ concerns: String...) {
        (host ?? self).recording?.align(self, at: place, concerns)
    }

    // MARK: Names

    func noteLife(_ life: Life, of node: SimulatedNode) {
        let world = host ?? self
        world.livesBegun[node.name, default: 0] += 1
        world.lifeNames[life] = "\(node.name)#\(world.livesBegun[node.name] ?? 0)"
    }

    func name(of life: Life) -> String? { (host ?? self).lifeNames[life] }

    func name(of number: Int) -> String {
        (nodes + gone).first { $0.number == number }?.name ?? "node \(number)"
    }

    // MARK: Devices

    /// Adds a device to the account.
    @discardableResult
    func join(isFaulty: Bool = false, admitted: Bool = true) -> SimulatedNode {
        let number = nextNumber
        let device: DeviceIdentifier = streams["devices"].identifier()
        let isOld = number < profile.oldNodes && !isFaulty
        let letter = isFaulty ? "X" : host == nil ? "N" : "M"
        let identity = SessionIdentity(
            account: account, device: device, name: "\(letter)\(number)", port: nil,
            features: isOld ? Features() : .offered)
        let node = add(SimulatedNode(number, as: identity, isFaulty: isFaulty, in: self))
        if admitted { admit(node) }
        return node
    }

    /// Makes an empty disk for the node with a number.
    func makeDisk(of number: Int, _ identity: SessionIdentity) -> any SimulatedDisk {
        switch store {
        case .memory: MemoryDisk()
        case .sqlite: SQLiteDisk(of: identity, seed: streams["disk \(number)"].next(), in: self)
        }
    }

    /// Adds a copy of a device's disk that works as if it were that device.
    func addClone(of node: SimulatedNode) -> SimulatedNode {
        let identity = SessionIdentity(
            account: account, device: node.identity.device, name: node.identity.name + "'", port: nil,
            features: node.identity.features)
        let clone = SimulatedNode(nextNumber, as: identity, in: self)
        clone.disk.put(node.disk.image)
        clone.apps?.copySettings(of: node.apps)
        clone.revocations = node.revocations
        clone.lives = node.lives
        (clone.clock, clone.hasOlderDisk) = (node.clock, true)
        clone.isUp = false
        (clone.papers, clone.isFirst) = (node.papers, node.isFirst)
        return add(clone)
    }

    private func add(_ node: SimulatedNode) -> SimulatedNode {
        nextNumber += 1
        for peer in neighbours(of: node) where peer.identity.device != node.identity.device {
            links.append(Link(peer, node))
        }
        nodes.append(node)
        let device = node.identity.device
        roster.insert(device)
        let isNew = members.insert(device).inserted
        // Where no records tell of members, all nodes know them at once.
        if node.isUp { node.learnPlainly(of: members) }
        if isNew { for other in nodes where other.isUp { other.learnPlainly(of: [device]) } }
        return node
    }

    /// Returns the nodes that a joining device can reach, by the shape of the account; there is always one.
    private func neighbours(of node: SimulatedNode) -> [SimulatedNode] {
        let others = nodes.filter { !$0.isFaulty && $0.identity.device != node.identity.device }
        guard let first = others.first, let last = others.last else { return [] }
        if node.isFaulty { return Array(others.prefix(2)) }
        switch profile.shape {
        case .chain: return [last]
        case .star: return [first]
        case .ring: return first === last ? [first] : [last, first]
        case .full, .changing: return others
        }
    }

    /// Removes a device.
    func remove(_ node: SimulatedNode) {
        node.stop()
        nodes.removeAll { $0 === node }
        gone.append(node)
        let lost = links.filter { $0.one === node || $0.two === node }
        oldLinks += lost
        links.removeAll { link in lost.contains { $0 === link } }
        relink()
        noteLoss(at: node)
    }

    /// Adds links, so that all nodes can meet in the end although some have lost their links.
    private func relink() { connect(honest) }

    /// Adds links until each of those nodes can reach all others of them; two clones never talk.
    func connect(_ nodes: [SimulatedNode]) {
        var reached = Set(nodes.prefix(1).map(\.number))
        let numbers = Set(nodes.map(\.number))
        while reached.count < nodes.count {
            let next = links.first {
                numbers.contains($0.one.number) && numbers.contains($0.two.number)
                    && reached.contains($0.one.number) != reached.contains($0.two.number)
            }
            if let next {
                reached.formUnion([next.one.number, next.two.number])
                continue
            }
            let pairs = nodes.filter { reached.contains($0.number) }.flatMap { one in
                nodes.filter { !reached.contains($0.number) && $0.identity.device != one.identity.device }
                    .map { (one, $0) }
            }
            guard let (one, two) = pairs.first else { return }
            links.append(Link(one, two))
        }
    }

    /// Returns whether an account would be left without that node: two devices that are not clones of each other.
    func canSpare(_ node: SimulatedNode) -> Bool {
        Set(honest.filter { $0 !== node }.map(\.identity.device)).count > 1
    }

    /// Whether machines may be cloned while they run, so that two of them write in one life.
    var hasTwins: Bool { profile[.cloneRunning] > 0 }

    /// Returns whether no other machine uses the identity of that one.
    func isOnly(_ node: SimulatedNode) -> Bool {
        nodes.allSatisfy { $0 === node || $0.identity.device != node.identity.device }
    }

    /// Notes what a store has garbage-collected by now.
    ///
    /// The store may later be rescued or emptied, leave, or give up its claims; it collected those tombstones by right
    /// all the same.
    func noteDropped(_ dropped: VersionVector) { everDropped.join(dropped) }

    /// The honest devices.
    var honest: [SimulatedNode] { nodes.filter { !$0.isFaulty } }

    /// Declares devices gone for good, which all nodes come to know.
    func dismiss(_ devices: Set<DeviceIdentifier>) {
        roster.subtract(devices)
        if profile.hasRoster { return devices.sorted().forEach { dismiss($0) } }
        for node in nodes where node.isUp { node.learnPlainly(of: devices) }
    }

    // MARK: Playing

    /// Plays up to that moment; returns false if more happened than can be right.
    @discardableResult
    func play(until limit: Instant? = nil, events: Int = 50_000) -> Bool {
        for _ in 0..<events {
            guard violation == nil, let action = agenda.next(until: limit) else { return true }
            action()
        }
        return false
    }
}
