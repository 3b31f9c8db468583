package import BatonCore

/// A few nodes and all that happens to them, drawn by one seed and played in virtual time.
///
/// First things go wrong while apps write; then all heals, and the nodes must agree, know that they do, and
/// fall silent. `run()` answers with what went against the promises; `BATON_SEED` in the environment makes a
/// world print its story.
package final class World {
    static let account = AccountIdentifier(high: 1, low: 1)

    var generator: SeededGenerator
    var ledger = Ledger()
    private(set) var weather: Weather
    private(set) var limits = Limits()
    private(set) var nodes: [SimulatedNode] = []
    /// Who can reach whom.
    private var links: [(SimulatedNode, SimulatedNode)] = []
    /// Changes with every frame that is sent: two runs of one seed have the same.
    package private(set) var fingerprint: UInt64 = 0
    /// How many frames of each kind were sent.
    package private(set) var framesSent: [FrameKind: Int] = [:]
    /// How often what is rare was reached.
    package internal(set) var marks = Marks()
    private var agenda = Agenda()
    private var violations: [String] = []
    private let isTold = Seeds.replayed != nil

    package init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        weather = .drawn(&generator)
        limits.batchBytes = generator.pick([1, 200, 1000, 10_000, Limits.largestBatchBytes])
        for number in 0..<generator.number(2...5) { nodes.append(SimulatedNode(number, in: self)) }
        links = drawLinks()
    }

    /// Plays the world to its end; answers with what went wrong, which is nothing.
    package func run() -> [String] {
        for _ in 0..<weather.steps where violations.isEmpty {
            enter(after: 0...max(1, weather.delay)) { self.step() }
            play(for: generator.number(0...10))
        }
        heal()
        return violations
    }

    // MARK: For those who live here

    var now: Instant { agenda.now }

    /// The wall clock of a node, which may be wrong, and differently so each time.
    func wallTime(of node: SimulatedNode) -> WallTime {
        let time = 1_700_000_000_000 + Int64(now.nanoseconds / 1_000_000)
        return WallTime(
            milliseconds: time + Int64(generator.number(-weather.clockError...weather.clockError)))
    }

    func enter(at due: Instant, _ action: @escaping () -> Void) { agenda.enter(at: due, action) }

    /// Enters what is to happen after so many milliseconds.
    func enter(after delay: ClosedRange<Int>, _ action: @escaping () -> Void) {
        agenda.enter(at: now + .milliseconds(generator.number(delay)), action)
    }

    /// Something happened that may not.
    func violate(_ sentence: @autoclosure () -> String) {
        violations.append(sentence())
        tell("AGAINST THE PROMISES: \(violations[violations.count - 1])")
    }

    /// A line of the story, for who replays it.
    func tell(_ line: @autoclosure () -> String) {
        if isTold { print("\(now.nanoseconds / 1_000_000) \(line())") }
    }

    /// A frame is sent.
    func note(_ frame: Frame, from node: SimulatedNode, to peer: SimulatedNode) {
        framesSent[frame.kind, default: 0] += 1
        for number in [now.nanoseconds, UInt64(frame.kind.rawValue), UInt64(frame.body.count)] {
            fingerprint = (fingerprint ^ number) &* 0x100_0000_01b3
        }
        tell("\(node.name) → \(peer.name) \((try? PeerMessage(frame)).map { "\($0)" } ?? "?")")
    }

    // MARK: What happens

    private func step() {
        let letting = weather.report + weather.collect + weather.backup + weather.restore
        let choice =
            generator.number(
                1...weather.write + weather.connect + weather.cut + weather.crash + weather.powerLoss
                    + letting)
            - letting
        let node = generator.pick(nodes)
        guard choice > 0 else { return letGo(choice, node) }
        switch choice {
        case ...weather.write where node.isUp:
            for _ in 0..<generator.number(1...weather.burst) { node.write() }
        case ...weather.write: break
        case ...(weather.write + weather.connect): connect(generator.pick(links))
        case ...(weather.write + weather.connect + weather.cut):
            guard !node.endpoints.isEmpty else { return }
            tell("\(node.name) loses a connection")
            generator.pick(node.endpoints).cut()
        default:
            guard node.isUp else { return }
            node.crash(powerLoss: choice > weather.write + weather.connect + weather.cut + weather.crash)
            enter(after: 0...10 * weather.delay) { node.restart() }
        }
    }

    /// What belongs to the letting go of traces; of all nodes one may come from a backup.
    private func letGo(_ choice: Int, _ node: SimulatedNode) {
        switch -choice {
        case ..<weather.report where node.isUp: node.report()
        case ..<weather.report: break
        case ..<(weather.report + weather.collect) where node.isUp: node.collect()
        case ..<(weather.report + weather.collect): break
        case ..<(weather.report + weather.collect + weather.backup): nodes[0].backUp()
        default:
            guard nodes[0].isUp else { return }
            nodes[0].crash(powerLoss: false)
            nodes[0].restore(empty: generator.chance(30))
            marks.restored += 1
            enter(after: 0...10 * weather.delay) { self.nodes[0].restart() }
        }
    }

    /// Connects two nodes, also where they are connected once already.
    private func connect(_ link: (SimulatedNode, SimulatedNode)) {
        let (one, two) = generator.chance(50) ? link : (link.1, link.0)
        guard one.isUp, two.isUp, one.endpoints.filter({ $0.peer === two }).count < 2 else { return }
        tell("\(one.name) connects to \(two.name)")
        Endpoint.connect(one, two, in: self)
    }

    /// Plays so many events, or until all is quiet; false if they were too few for that.
    @discardableResult
    private func play(for events: Int) -> Bool {
        for _ in 0..<events {
            guard let action = agenda.next() else { return true }
            action()
        }
        return false
    }

    // MARK: The end

    private func heal() {
        tell("all heals")
        weather = .fair
        for node in nodes { node.restart() }
        // Some worlds lose every connection, so that all nodes meet anew, one after the other.
        if generator.chance(50) { for node in nodes { for endpoint in node.endpoints { endpoint.cut() } } }
        for _ in 0..<5 {
            for link in generator.shuffled(links)
            where !link.0.endpoints.contains(where: { $0.peer === link.1 }) {
                connect(link)
                play(for: generator.pick([0, 10, 100, 10_000]))
            }
            guard play(for: 50_000) else { return violate("the nodes never fall silent") }
        }
        judge()
        guard violations.isEmpty else { return }
        letGoOfAll()
        guard violations.isEmpty else { return }
        reconnect()
    }

    /// Once all nodes have reported, no trace is left, and nothing comes back.
    private func letGoOfAll() {
        guard generator.chance(70) else { return }
        tell("all report")
        for _ in 0..<2 {
            for node in generator.shuffled(nodes) { node.report() }
            guard play(for: 50_000) else { return violate("reporting nodes never fall silent") }
        }
        judge()
        // A clear that the dead left behind is claimed by nobody, and traces wait for it.
        guard nodes.allSatisfy(\.isSettled) else { return }
        for node in nodes { judgeTraces(of: node) }
    }

    /// Who can reach whom: a chain, a star, a ring, or everyone everyone.
    private func drawLinks() -> [(SimulatedNode, SimulatedNode)] {
        let pairs = nodes.indices.flatMap { one in nodes.indices.dropFirst(one + 1).map { (one, $0) } }
        let shape = generator.number(0...3)
        return pairs.filter { one, two in
            switch shape {
            case 0: two == one + 1
            case 1: one == 0
            case 2: two == one + 1 || (one == 0 && two == nodes.count - 1)
            default: true
            }
        }.map { (nodes[$0], nodes[$1]) }
    }

    /// Nodes that are in step say so in their first messages, and nothing else.
    private func reconnect() {
        for node in nodes { for endpoint in node.endpoints { endpoint.cut() } }
        framesSent = [:]
        for (one, two) in links { Endpoint.connect(one, two, in: self) }
        guard play(for: 10_000) else { return violate("nodes in step never fall silent") }
        // Until what the dead left behind is adopted, writes that nobody claims are sent each time.
        if nodes.allSatisfy(\.isSettled), framesSent != [.hello: 2 * links.count] {
            violate("nodes in step send \(framesSent)")
        }
        judge()
    }
}
