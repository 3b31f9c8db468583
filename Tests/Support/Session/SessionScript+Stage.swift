package import BatonCore

extension SessionScript {
    /// The stage of a session, as far as its peer can see.
    package enum Stage: CaseIterable, Sendable {
        case starting, startingAndGreeted, greeting, comparing, exchanging, closed
    }

    /// Creates a session that a peer without any records has brought to that stage; its outputs are taken.
    package convenience init(at stage: Stage, claiming complete: VersionVector = VersionVector()) {
        self.init()
        switch stage {
        case .starting: break
        case .startingAndGreeted: handle(Self.hello())
        case .greeting: handle(Self.summary(complete))
        case .comparing:
            handle(Self.summary(complete))
            handle(Self.hello(Self.compared))
        case .exchanging:
            handle(Self.summary(complete))
            handle(Self.hello(complete))
        case .closed: handle { $0.close(CloseReason(.goingAway, "enough")) }
        }
        forget()
    }

    /// The peer's claims at stages where vectors are compared.
    package static let compared = VersionVector([(origin(9), 1 as UInt64)])

    /// Discards the pending outputs.
    package func forget() {
        _ = try? takeMessages()
        _ = takeRequests()
        _ = takeEvents()
    }

    /// Returns an open session with these claims that read both lanes and found nothing; its outputs are taken.
    package static func quiet(_ complete: VersionVector = VersionVector(), limits: Limits = Limits())
        -> SessionScript
    {
        let script = SessionScript(limits: limits)
        script.handle(summary(complete))
        script.handle(hello(complete))
        for lane in Lane.allCases {
            script.handle(
                .changes(
                    lane, .changes(Changes(writes: [], next: .none, complete: complete.restricted(to: lane))))
            )
        }
        script.forget()
        return script
    }

    package static func origin(_ number: UInt64, _ lane: Lane = .activities) -> Origin {
        Origin(life: Life(high: 3, low: number), lane: lane)
    }

    package static func key(_ number: UInt64, _ lane: Lane = .activities) -> RecordKey {
        RecordKey(kind: lane == .activities ? .device : .engagement, parts: 1) { $0.unsigned(number) }
    }

    /// Returns a full write of an origin, with a value of that many bytes.
    package static func write(_ sequence: UInt64, _ lane: Lane = .activities, bytes: Int = 1) -> Write {
        var fields = Fields()
        fields.set(1) { $0.data([UInt8](repeating: 0, count: bytes)) }
        let origin = origin(1, lane)
        return Write(
            dot: Dot(origin: origin, sequence: sequence),
            key: key(sequence, lane),
            stamp: Stamp(time: HybridTime(value: sequence), life: origin.life),
            action: .full(Write.Content(fields: fields)))
    }

    /// Returns the answer of a store that accepted something in a lane.
    package static func applied(_ lane: Lane) -> StoreAnswer {
        .applied(lane, StoreCommit(head: Arrival(value: 1), clock: .zero, changed: []))
    }
}
