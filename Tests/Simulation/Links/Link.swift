import BatonCore
import Support

/// A link over which two nodes can connect, and its faults.
final class Link {
    unowned let one, two: SimulatedNode
    /// Whether bytes are lost without notice.
    var isDown = false
    /// Whether the link is in use now; in a world that changes, only some links are.
    var isPresent = true
    /// The connections, past and present, that at least one side may still believe open.
    private(set) var connections: [(Endpoint, Endpoint)] = []
    /// The number of connections there ever were.
    private var count = 0

    init(_ one: SimulatedNode, _ two: SimulatedNode) { (self.one, self.two) = (one, two) }

    /// Whether both ends could talk.
    var isUsable: Bool { !isDown && isPresent && one.isReachable && two.isReachable }

    /// Whether a node is one of its ends.
    func concerns(_ node: SimulatedNode) -> Bool { one === node || two === node }

    var hasFaulty: Bool { one.isFaulty || two.isFaulty }

    /// The connections that both sides believe open.
    var open: [(Endpoint, Endpoint)] { connections.filter { !$0.0.isCut && !$0.1.isCut } }

    func connect(in world: World) {
        guard one.letsIn(two), two.letsIn(one) else { return }
        connections.removeAll { $0.0.isCut && $0.1.isCut }
        if !open.isEmpty { world.marks[.duplicates] += 1 }
        count += 1
        let first = world.streams["connecting"].chance(50)
        let (from, to) = first ? (one, two) : (two, one)
        world.tell("\(from.name) connects to \(to.name)")
        let name = "connection \(count) of \(one.number) and \(two.number)"
        let ends = (
            Endpoint(from, to: to, over: self, streaming: name + ", there", in: world),
            Endpoint(to, to: from, over: self, streaming: name + ", back", in: world)
        )
        for (one, two) in connections + [ends]
        where connections.contains(where: { !$0.0.isCut || !$0.1.isCut }) {
            (one.isAlone, two.isAlone) = (false, false)
        }
        connections.append(ends)
        for node in [from, to] where node.restoredAndWrote != nil {
            world.marks[node.restoredAndWrote == true ? .restoredWriting : .restoredSilent] += 1
            node.restoredAndWrote = nil
        }
        if one.identity.features != two.identity.features { world.marks[.oldSessions] += 1 }
        Endpoint.begin(ends.0, ends.1)
    }

    /// Adds a connection.
    func keep(_ ends: (Endpoint, Endpoint)) { connections.append(ends) }

    /// Removes every fault of the link.
    func repair() {
        (isDown, isPresent) = (false, true)
        for (one, two) in connections {
            for end in [one, two] { (end.isStuck, end.isSlow) = (false, false) }
        }
    }

    /// Delivers bytes that waited.
    func proceed() {
        for (one, two) in connections {
            one.deliver()
            two.deliver()
        }
    }
}
