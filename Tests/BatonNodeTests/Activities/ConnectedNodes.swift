import BatonCore
import BatonNode
import Foundation
import Support
import Testing

/// Two or three nodes of one account that are all connected.
struct ConnectedNodes {
    let folder: TemporaryFolder
    private(set) var nodes: [RunningNode]
    private let names: [String]
    /// The address of each node, which it keeps when it is restarted.
    private var addresses: [String] = []
    private let change: (inout Limits) -> Void

    init(_ names: [String], _ change: @escaping (inout Limits) -> Void = { _ in }) throws {
        (self.names, self.change) = (names, change)
        folder = try TemporaryFolder()
        let quick = { (limits: inout Limits) in
            limits.redialTime = .milliseconds(10)...Duration.milliseconds(50)
            change(&limits)
        }
        _ = try RunningNode.home(folder, names[0]).makeAccount(name: names[0])
        nodes = [try RunningNode(folder, names[0], quick)]
        for name in names.dropFirst() {
            try nodes[0].admit(name)
            nodes.append(try RunningNode(folder, name, quick))
        }
        addresses = nodes.map { "127.0.0.1:\($0.port)" }
        for place in nodes.indices.dropFirst() { try introduce(place) }
        try waitUntilConnected()
    }

    subscript(place: Int) -> RunningNode { nodes[place] }

    /// Stops a node with a signal, without waiting until the others notice.
    func end(_ place: Int) { nodes[place].stop() }

    /// Stops a node with a signal, and waits until the others notice.
    func stop(_ place: Int) throws {
        nodes[place].stop()
        let (name, others) = (names[place], nodes.indices.filter { $0 != place })
        for other in others {
            try eventually("the end of \(name)") {
                try nodes[other].peers().first { $0.device.name == name }?.isConnected == false
            }
        }
    }

    /// Stops and starts a node, and waits until all are connected.
    mutating func restart(_ place: Int) throws {
        nodes[place].stop()
        try start(place)
        try waitUntilConnected()
    }

    /// Starts a stopped node, without waiting for connections.
    mutating func start(_ place: Int) throws {
        let change = change
        nodes[place] = try RunningNode(folder, names[place], at: addresses[place]) { limits in
            limits.redialTime = .milliseconds(10)...Duration.milliseconds(50)
            change(&limits)
        }
    }

    /// Sets the addresses of the other joined nodes on a node, because addresses on loopback are not announced.
    private func introduce(_ place: Int) throws {
        for other in nodes.indices.dropFirst() where other != place {
            try eventually("\(names[other]) on \(names[place])") {
                try nodes[place].ask(SetAddresses(names[other], [addresses[other]])).isSuccess
            }
        }
    }

    /// Waits until each node is connected to all others.
    func waitUntilConnected() throws {
        for node in nodes {
            try eventually("connections: \(node.lines)") {
                let peers = try node.peers()
                return peers.count == nodes.count - 1 && peers.allSatisfy(\.isConnected)
            }
        }
    }

    /// Waits until each node says that it has the same as all others.
    ///
    /// A node lists an activity before it claims it: a live change may overtake earlier ones.
    func waitUntilInStep() throws {
        for node in nodes {
            try eventually("nodes in step: \(node.lines)") { try node.peers().allSatisfy(\.isInStep) }
        }
    }

    /// Waits until a node lists exactly these titles.
    func await(_ titles: [String], on place: Int, _ extent: ListActivities.Extent = .goingOn) throws {
        try eventually("\(titles) on \(names[place]): \(nodes[place].lines)") {
            try nodes[place].titles(extent).sorted() == titles.sorted()
        }
    }
}

extension Result {
    var isSuccess: Bool { if case .success = self { true } else { false } }
}

/// Waits until the clock that dates are from shows a later time.
func untilLater() throws {
    let time = presentTime
    try eventually("the next millisecond") { presentTime > time }
}

/// The time of the machine's clock.
var presentTime: WallTime { WallTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }
