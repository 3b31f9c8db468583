package import BatonCore
import Support

/// A few nodes and all that happens to them, drawn by one seed and played in virtual time.
///
/// First things go wrong while apps write; then all heals, and the nodes must agree, know that they do, and fall
/// silent. `run()` answers with the first thing that went against the promises.
package final class World {
    /// The account of its nodes.
    let account: AccountIdentifier
    /// Another account, some of whose nodes run where nodes of this one do; what happens there happens beside all else.
    private(set) var neighbour: World?
    /// The world of which this one is the neighbour.
    private(set) weak var host: World?
    /// Connections between the two that should not be.
    var wrongLinks: [Link] = []

    package let seed: UInt64
    package let profile: Profile
    let limits: Limits
    /// On what its nodes keep what they have.
    package let store: StoreName
    /// What else goes wrong where stores are files.
    let diskTroubles: DiskTroubles
    var streams: Streams
    let ledger = Ledger()
    /// How often what is rare was reached.
    package internal(set) var marks = Marks()
    /// Changes what stores are asked to keep, so that a test can see that worlds find it.
    package var sabotage: ((inout StoreTransaction) -> Void)?
    /// Who was ever part of it and is not any more.
    var everyoneGone: [SimulatedNode] { gone }
    /// Devices that are part of it, the faulty one too.
    private(set) var nodes: [SimulatedNode] = []
    /// Who was part of it, and is waited for by bytes on their way.
    private(set) var gone: [SimulatedNode] = []
    private(set) var links: [Link] = []
    /// Links of devices that are gone, over which a side may still believe to be connected.
    private var oldLinks: [Link] = []
    /// The devices for which traces are kept.
    private(set) var roster: Set<DeviceIdentifier> = []
    /// All devices that were ever part of it.
    private(set) var members: Set<DeviceIdentifier> = []
    /// What was ever let go, also by stores that do not remember it.
    private(set) var everDropped = VersionVector()
    /// Makes what owners sign, and tells what really is.
    let authority: SimulatedAuthority
    /// All that owners said, whether it was kept or not.
    var issued: [RosterStatement] = []
    /// The client states that a range took from someone.
    var statesGivenUp: Set<RecordIdentity> = []
    /// The records in which one node was made to differ from all others.
    var plantedDifferences: Set<RecordIdentity> = []
    /// Until when nobody else is given up who will be back.
    var pardoned: Instant?
    /// The jobs that index here, of which each may run anywhere.
    let jobs: [ClientStateName]
    private(set) var isHealed = false
    /// Days that have passed without anything else, by all clocks.
    var skipped = Duration.zero
    /// Whether nodes sweep in the end, as nothing is written any more.
    var isExpiring = false
    /// What was swept somewhere.
    var swept = Swept()
    /// The first thing that happened and may not; the world ends with it.
    private(set) var violation: Violation?
    private let agenda: Agenda
    private var story: Story
    private(set) var checkers: [any Checker] = []
    /// What watches over activities, where nodes have apps.
    private(set) var freshness: FreshestPayload?
    /// Whether nothing comes after what is judged now.
    var isEnding = false
    /// Whether the phase is played in which all devices meet again.
    private(set) var isMeeting = false
    /// What measures how much is sent, while it does.
    var meter: CostOfMeeting?
    private var nextNumber = 0
    /// Where random streams stood when the world was played in whole; of the neighbour, too.
    private let recording: Recording?
    /// What was planned and took place, also beside it.
    package private(set) var events: [PlannedEvent] = []
    /// The names of the lives of all nodes, also of those beside it.
    private var lifeNames: [Life: String] = [:]
    /// How many lives each node began, by its name.
    private var livesBegun: [String: Int] = [:]

    /// A world in which all is as the seed and the profile say; its story costs time, and is kept only if it is told.
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
        limits = profile.limits
        jobs = Self.jobs(of: profile)
        settle()
        if profile.neighbours > 0 { neighbour = World(beside: self) }
    }

    /// The account whose nodes run beside those of another one.
    private init(beside host: World) {
        (seed, profile, store) = (host.seed &+ 0x5eed, host.profile.ofNeighbour, host.store)
        (diskTroubles, agenda, story) = (host.diskTroubles, host.agenda, Story(isTold: false))
        account = AccountIdentifier(high: 1, low: 2)
        (streams, authority) = (Streams(seed: seed), SimulatedAuthority(seed: seed))
        (limits, jobs, self.host, recording) = (host.limits, Self.jobs(of: profile), host, nil)
        settle()
    }

    private static func jobs(of profile: Profile) -> [ClientStateName] {
        profile[.index] > 0 || profile[.stage] > 0
            ? ["a", "b"].map { ClientStateName(app: "org.example", index: $0) } : []
    }

    /// The first devices come.
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

    /// The seed with the profile of that name.
    package convenience init(
        seed: UInt64, _ name: ProfileName = .swarm, on store: StoreName = .memory, isTold: Bool = false
    ) {
        self.init(seed: seed, profile: name.profile(for: seed), on: store, isTold: isTold)
    }

    /// Plays the world to its end; answers with what went wrong, if something did.
    package func run() -> Violation? {
        tell("a world of \(profile)")
        // What is still to happen speaks of this world, which would never go.
        defer {
            agenda.clear()
            recording?.complete()
        }
        trouble()
        if violation == nil { neighbour?.heal() }
        if violation == nil, let fault = profile.lasting, plays(.enduring) { endure(fault) }
        if violation == nil { heal() }
        // Of an account of which too few are left nothing more can be said.
        if profile.hasRoster, honest.count < 2 { return violation }
        if hasTwins {
            if violation == nil { letTwinsMeet() }
            return violation
        }
        if violation == nil, streams["phases"].chance(30), plays(.restless) { goOnWithoutRest() }
        if violation == nil { comeToRest() }
        if violation == nil, profile.plantsDifference, plays(.mending) { plantDifference() }
        if violation == nil, profile.letsGo, plays(.lettingGo) {
            letGoOfAll()
            hearAgain()
        }
        if violation == nil, plays(.meeting) { reconnect() }
        if violation == nil, profile[.day] > 0, plays(.expiring) { expireAll() }
        isEnding = true
        judgeAtRest()
        if violation == nil { neighbour?.comeToRest() }
        return violation
    }

    /// What happened, a line an event.
    package var lines: [String] { story.lines }
    /// The same for each run of a seed and a profile.
    package var traceHash: UInt64 { story.hash }

    // MARK: For those who live here

    var now: Instant { agenda.now }

    /// The longest that a message or a disk takes by now.
    var delay: Int { isHealed ? min(3, profile.delay) : profile.delay }

    func enter(at due: Instant, _ action: @escaping () -> Void) { agenda.enter(at: due, action) }

    /// Something happened that may not; the first such thing is what the world is remembered for.
    func violate(
        _ promise: Promise, about subject: Violation.Subject = Violation.Subject(),
        _ sentence: @autoclosure () -> String
    ) {
        guard violation == nil else { return }
        let found = Violation(promise: promise, subject: subject, text: sentence())
        violation = found
        tell("\(Self.found) \(found)")
        // A promise holds wherever it is broken, and all ends with it.
        host?.violate(promise, about: subject, "beside it, \(found.text)")
        neighbour?.violation = found
    }

    /// Something happened after which the world can't go on; the process ends with it.
    func end(_ sentence: String) -> Never {
        let story = lines.suffix(100).map { "\($0)\n" }.joined()
        fatalError("\(story)seed \(seed): \(sentence)")
    }

    /// A line of the story.
    func tell(_ line: @autoclosure () -> String) {
        if let host { host.tell("beside: \(line())") } else { story.tell(now, line) }
    }

    /// Takes numbers into the hash of all that happens.
    func mix(_ first: UInt64, _ second: UInt64) {
        if let host { host.mix(first, second) } else { story.mix(now.nanoseconds, first, second) }
    }

    /// Whether something goes wrong now, by its rate in a thousand; nothing does once all is healed.
    func happens(_ fault: Fault) -> Bool {
        let rate = profile[fault]
        guard rate > 0, !isHealed else { return false }
        return streams[fault.rawValue].number(0...999) < rate
    }

    /// All that faults did is over.
    func endFaults() { isHealed = true }

    // MARK: Dropping

    /// Whether a phase is played.
    func plays(_ phase: Phase) -> Bool { !profile.droppedPhases.contains(phase) }

    /// A phase begins, and draws what it draws in the whole world.
    func begin(_ phase: Phase) {
        isMeeting = phase == .meeting
        align(.phase(phase, isBeside: host != nil), "phases", "restless")
    }

    /// Whether an event that is due takes place, and is not dropped.
    func takesPlace(_ event: PlannedEvent) -> Bool {
        guard !profile.dropped.contains(event) else { return false }
        (host ?? self).events.append(event)
        return true
    }

    /// What follows draws what it draws in the whole world, whatever of that was dropped before.
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

    // MARK: Who is there

    /// A device becomes part of the account.
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

    /// An empty disk for the node of a number.
    func makeDisk(of number: Int, _ identity: SessionIdentity) -> any SimulatedDisk {
        switch store {
        case .memory: MemoryDisk()
        case .sqlite: SQLiteDisk(of: identity, seed: streams["disk \(number)"].next(), in: self)
        }
    }

    /// A copy of a device's disk begins to work, as if it were that device.
    func addClone(of node: SimulatedNode) -> SimulatedNode {
        let identity = SessionIdentity(
            account: account, device: node.identity.device, name: node.identity.name + "'", port: nil,
            features: node.identity.features)
        let clone = SimulatedNode(nextNumber, as: identity, in: self)
        clone.disk.put(node.disk.image)
        clone.lives = node.lives
        clone.clock = node.clock
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
        // Where nobody tells of members, all know them at once.
        if node.isUp { node.learnPlainly(of: members) }
        if isNew { for other in nodes where other.isUp { other.learnPlainly(of: [device]) } }
        return node
    }

    /// Whom a device that joins can reach: by the shape of the account, and always someone.
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

    /// A device is no part of it any more.
    func remove(_ node: SimulatedNode) {
        node.stop()
        nodes.removeAll { $0 === node }
        gone.append(node)
        let lost = links.filter { $0.one === node || $0.two === node }
        oldLinks += lost
        links.removeAll { link in lost.contains { $0 === link } }
        mend()
        noteLoss(at: node)
    }

    /// Adds links, so that all can meet in the end although some lost the way to the others.
    private func mend() { connect(honest) }

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

    /// Whether an account would be left without that node: two devices that are not clones of each other.
    func canSpare(_ node: SimulatedNode) -> Bool {
        Set(honest.filter { $0 !== node }.map(\.identity.device)).count > 1
    }

    /// Whether machines may be cloned while they run, so that two of them write in one life.
    var hasTwins: Bool { profile[.cloneRunning] > 0 }

    /// Whether no other machine uses the identity of that one.
    func isOnly(_ node: SimulatedNode) -> Bool {
        nodes.allSatisfy { $0 === node || $0.identity.device != node.identity.device }
    }

    /// A store let go of so much by now.
    ///
    /// It may be rescued or emptied, leave, or give up its claims; what went by its hand was let go by right all the
    /// same.
    func noteDropped(_ dropped: VersionVector) { everDropped.join(dropped) }

    /// The honest devices.
    var honest: [SimulatedNode] { nodes.filter { !$0.isFaulty } }

    /// People say that devices are gone for good, which all come to know.
    func dismiss(_ devices: Set<DeviceIdentifier>) {
        roster.subtract(devices)
        if profile.hasRoster { return devices.sorted().forEach { dismiss($0) } }
        for node in nodes where node.isUp { node.learnPlainly(of: devices) }
    }

    // MARK: Playing

    /// Plays up to that moment; false if more happened than can be right.
    @discardableResult
    func play(until limit: Instant? = nil, events: Int = 50_000) -> Bool {
        for _ in 0..<events {
            guard violation == nil, let action = agenda.next(until: limit) else { return true }
            action()
        }
        return false
    }
}
