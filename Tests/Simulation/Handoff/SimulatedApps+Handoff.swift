import BatonCore
import Support

/// A node's answers to requests to continue its apps' activities, as the product gives them.
extension SimulatedApps {
    /// A peer asks to continue an activity of this device.
    func answer(_ request: ContinueRequest, over endpoint: Endpoint) {
        guard node.isUp else { return }
        guard case .shared(let name) = machine.standing(of: request.identity, at: node.wallTime) else {
            return tellEnd(request, over: endpoint)
        }
        save(name) { [self] isSaved in hand(name, request, isSaved: isSaved, over: endpoint) }
    }

    /// Asks the app to bring its activity up to date; many apps do so at once, some late or never.
    private func save(_ name: ActivityName, then: @escaping (Bool) -> Void) {
        var isTold = false
        let tell = { (isSaved: Bool) in
            guard !isTold else { return }
            isTold = true
            then(isSaved)
        }
        node.later(world.limits.savingTime) { tell(false) }
        guard draw({ $0.chance(80) }) else { return }
        node.later(draw { $0.pick([0, 1, 20, 1000]) }) { [self] in
            // An app that is late still saves.
            if draw({ $0.chance(70) }), let own = machine[name] { change(name, own.activity) }
            tell(true)
        }
    }

    private func hand(
        _ name: ActivityName, _ request: ContinueRequest, isSaved: Bool, over endpoint: Endpoint
    ) {
        let device = endpoint.peer.identity.device
        var (handed, ending): (Activity?, Int?)
        ask(name) { [self] in
            handed = $0.hand(name, to: device, takes: request.takes, for: $2, at: $1)
            guard let handed else { return }
            world.freshness?.noteHandoff(name, handed, by: self)
            world.tell("\(node.name): \(name.instance) is \(request.takes ? "taken over" : "continued")")
            if request.takes { ending = world.freshness?.noteEnding(of: name, to: device, by: self) }
        } then: { [self] failure in
            guard let handed else { return tellEnd(request, over: endpoint) }
            if let ending { world.freshness?.noteEnd(of: name, ending, isTaken: true, failure, by: self) }
            if request.takes, failure != nil { return tell(.unavailable, request, over: endpoint) }
            guard machine.mayLeave(handed, of: name, at: node.wallTime) else {
                world.marks[.handedTooLate] += 1
                return tellEnd(request, over: endpoint)
            }
            world.marks[request.takes ? .takenOver : .handed] += 1
            tell(.fields(handed.fields, isSaved: isSaved), request, over: endpoint)
        }
    }

    private func tellEnd(_ request: ContinueRequest, over endpoint: Endpoint) {
        var taker: DeviceIdentifier?
        switch machine.standing(of: request.identity, at: node.wallTime) {
        // It goes on in another state than the one that was handed over; the peer takes what has arrived.
        case .shared: return tell(.unavailable, request, over: endpoint)
        case .hidden: break
        case .ended(let device): taker = device
        }
        if taker != nil { world.marks[.goneTold] += 1 }
        tell(.gone(to: taker), request, over: endpoint)
    }

    private func tell(
        _ outcome: ContinueAnswer.Outcome, _ request: ContinueRequest, over endpoint: Endpoint
    ) {
        world.freshness?.noteAnswer(outcome, of: request.identity, by: self)
        endpoint.handle { $0.answerContinue(request.number, outcome) }
    }
}
