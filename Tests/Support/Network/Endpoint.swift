import BatonCore

/// One side of a connection: a session, and the bytes that it sends to the other side.
final class Endpoint {
    let node: SimulatedNode
    let peer: SimulatedNode
    private(set) weak var other: Endpoint?
    var session: Session
    private(set) var isCut = false
    /// Whether the store failed a request of this session; it does none of the later ones.
    var hasFailed = false
    /// The lanes of which a range was read in this session.
    private var rangesWere: Set<Lane> = []
    private unowned let world: World
    private var decoder = FrameDecoder()
    private var outgoing: [UInt8] = []
    private var isDelivering = false

    private init(_ node: SimulatedNode, to peer: SimulatedNode, in world: World) {
        (self.node, self.peer, self.world) = (node, peer, world)
        session = Session(
            own: node.identity, peer: peer.identity.device, limits: world.limits, now: world.now)
    }

    /// Connects two nodes; each side keeps its end.
    static func connect(_ one: SimulatedNode, _ two: SimulatedNode, in world: World) {
        let ends = (Endpoint(one, to: two, in: world), Endpoint(two, to: one, in: world))
        (ends.0.other, ends.1.other) = (ends.1, ends.0)
        for end in [ends.0, ends.1] {
            end.node.endpoints.append(end)
            if let deadline = end.session.deadline {
                world.enter(at: deadline) {
                    guard !end.isCut else { return }
                    end.session.handleDeadline(now: world.now)
                    end.drain()
                }
            }
        }
        ends.0.drain()
        ends.1.drain()
    }

    /// Ends the connection; bytes on the way are lost, wherever in a frame that is.
    func cut() {
        for end in [self, other].compactMap(\.self) {
            end.isCut = true
            end.outgoing = []
            end.node.endpoints.removeAll { $0 === end }
        }
    }

    /// The store answered, or wrote something.
    func handle(_ input: (inout Session) -> Void) {
        guard !isCut else { return }
        input(&session)
        drain()
    }

    /// Takes all outputs of the session.
    private func drain() {
        while let event = session.nextEvent() { handle(event) }
        while let request = session.nextStoreRequest() { node.enter(.request(request, self)) }
        while let frame = session.nextFrame() {
            world.note(frame, from: node, to: peer)
            outgoing += frame.encoded
        }
        deliver()
    }

    /// The store is asked for a part of a snapshot.
    func note(_ request: RangeRequest, _ world: World) {
        if !rangesWere.contains(request.lane), request.after != nil { world.marks.resumed += 1 }
        rangesWere.insert(request.lane)
    }

    private func handle(_ event: SessionEvent) {
        switch event {
        case .opened: node.handleOpening(of: self)
        case .greeted, .continueRequested, .continueAnswered, .addressesTold: break
        case .closedHere(let reason):
            world.tell("\(node.name) closes to \(peer.name): \(reason)")
            if !reason.code.isTransient { world.violate("an honest peer was closed: \(reason)") }
        case .closedByPeer: world.enter(after: 0...1) { self.cut() }
        }
    }

    /// Sends some of the bytes on their way, and the others later.
    private func deliver() {
        guard !isDelivering, !outgoing.isEmpty else { return }
        isDelivering = true
        world.enter(after: 0...world.weather.delay) { [self] in
            isDelivering = false
            guard !isCut, let other else { return }
            let count =
                world.generator.chance(50) ? outgoing.count : world.generator.number(1...outgoing.count)
            other.receive(outgoing[..<count])
            guard !isCut else { return }
            outgoing.removeFirst(count)
            // Who broke off hangs up once that is said.
            if outgoing.isEmpty, session.isClosed { cut() }
            deliver()
        }
    }

    private func receive(_ bytes: ArraySlice<UInt8>) {
        decoder.feed(bytes)
        do throws(CloseReason) {
            while !isCut, let frame = try decoder.next() { handle { $0.handle(frame) } }
        } catch {
            world.violate("an honest peer sent \(error)")
        }
    }
}
