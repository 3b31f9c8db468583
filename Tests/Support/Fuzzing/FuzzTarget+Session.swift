import BatonCore

extension FuzzTarget {
    /// A session: the input plays its peer, its store, its driver and its clock.
    package static let session = FuzzTarget("session") { bytes throws(FuzzViolation) in
        let play = SessionPlay(bytes)
        try play.run()
    }
}

/// One session that an input controls; the store behind it is honest, but slow or broken.
final class SessionPlay {
    private(set) var input: FuzzInput
    private(set) var session: Session
    private let store = InMemoryStore()
    /// The requests that the store has not answered, oldest first.
    private var requests: [StoreRequest] = []
    private var watch = SessionWatch()
    /// The number of the last batch that the peer sent, if the peer counts correctly.
    private var batchNumber: UInt64 = 0
    private var ownSequence: UInt64 = 0
    /// The claims behind the digest in the peer's last hello.
    private var claimed = VersionVector()

    init(_ bytes: [UInt8]) {
        input = FuzzInput(bytes)
        var limits = Limits()
        limits.batchBytes = input.pick([1, 100, 10_000, Limits.largestBatchBytes])
        let own = SessionIdentity(
            account: SessionScript.account, device: SessionScript.own.device, name: "own", port: nil,
            features: Features([Features.repair]))
        session = Session(
            own: own, peer: SessionScript.peer, of: SessionScript.account, limits: limits,
            now: SessionScript.started)
        for _ in 0..<input.number(0...3) { commit() }
    }

    /// Returns the peer's claims, which may be nonsense.
    private func standing() -> Standing {
        Standing(complete: input.byte() < 0xe0 ? claimed : input.vector())
    }

    /// Returns the positions at which the peer asks this side to resume, which may be nonsense.
    private func resumeTokens() -> [Lane: ResumeToken] {
        var tokens: [Lane: ResumeToken] = [:]
        for lane in Lane.allCases where input.byte() & 1 == 0 {
            let order = ArrivalOrder(high: 0, low: UInt64(input.number(0...1)))
            tokens[lane] = ResumeToken(Cursor(Arrival(value: UInt64(input.byte()))), in: order)
        }
        return tokens
    }

    func run() throws(FuzzViolation) {
        try drain()
        for _ in 0..<200 where !input.isAtEnd {
            step()
            try drain()
        }
        // The session can always be brought to its end, and stays there.
        answerAll()
        session.close(CloseReason(.goingAway, "enough"))
        try drain()
        try FuzzTarget.require(session.isClosed && watch.endings == 1, "\(watch.endings) endings")
        for message in [SessionScript.hello(), .acknowledgement(1)] { session.handleFrame(message.frame) }
        try drain()
        try FuzzTarget.require(watch.endings, is: 1, "the endings, after a frame that came late")
    }

    private func step() {
        switch input.number(0...18) {
        case 0: arriveRaw()
        case 1:
            claimed = input.byte() < 0x80 ? store.summary().complete : input.vector()
            let features = input.byte() < 0xc0 ? Features([Features.repair]) : Features()
            session.handleFrame(
                SessionScript.hello(claimed, features: features, resume: resumeTokens()).frame)
        case 2: session.handleFrame(PeerMessage.standing(standing()).frame)
        case 3, 4: arrive(input.batch(batchNumber + 1))
        case 5:
            let number = UInt64(input.byte())
            watch.noteArrival(ofAcknowledgement: number)
            session.handleFrame(PeerMessage.acknowledgement(number).frame)
        case 6, 7: answerOne()
        case 8: answerAll()
        case 9: if !requests.isEmpty { fail() }
        case 10, 11:
            commit()
            for lane in Lane.allCases { session.handleCommit(lane) }
        case 12: _ = session.requestContinue(RecordKey.told().identity, takes: false)
        case 13:
            let number = UInt64(input.byte())
            let isThere = input.byte() < 0x80
            session.answerContinue(
                number, isThere ? .fields(input.fields(), isSaved: isThere) : .gone(to: nil))
        case 14:
            session.tellAddresses([
                DeviceAddresses(device: SessionScript.peer, name: "peer", addresses: ["[::1]:1"])
            ])
        case 15: tellCheck()
        case 16: tellSums()
        case 17:
            var batch = input.batch(batchNumber + 1)
            (batch.complete, batch.range, batch.repair) = (nil, nil, input.pick([.more, .last]))
            arrive(batch)
        default:
            let later = SessionScript.started + Duration.seconds(input.number(0...20))
            session.handleDeadline(now: later)
        }
    }

    // MARK: The peer

    /// The peer reports the digest of what it holds, at times the true one here.
    private func tellCheck() {
        guard let own = store.check(at: input.pick([InMemoryStore.past, SessionPair.noon.compared])) else {
            return
        }
        let isSame = input.byte() < 0x80
        session.handleFrame(
            PeerMessage.check(
                StateCheck(complete: own.complete, state: isSame ? own.state : StateDigest(), at: own.time)
            ).frame)
    }

    /// The peer sends the sums of a lane, of which few differ, or none.
    private func tellSums() {
        let lane = input.pick(Lane.allCases)
        let time = input.pick([InMemoryStore.past, SessionPair.noon.compared])
        var sums = store.recount(lane, at: time).sums
        for _ in 0..<input.number(0...2) { sums[Int(input.byte())] = StateDigest() }
        session.handleFrame(PeerMessage.sums(LaneSums(lane: lane, sums: sums, at: time)).frame)
    }

    /// A frame of arbitrary bytes arrives; a readable batch gets the right number.
    private func arriveRaw() {
        let length = input.bytes(upTo: 3).reduce(0) { $0 << 8 | Int($1) }
        guard let kind = FrameKind(rawValue: input.byte()) else { return }
        let frame = Frame(kind: kind, body: input.bytes(upTo: min(length, 4096)))
        if kind == .batch, case .batch(let batch)? = try? PeerMessage(frame) {
            arrive(batch)
        } else {
            session.handleFrame(frame)
        }
    }

    private func arrive(_ batch: Batch) {
        var batch = batch
        if batch.number != 0 { batch.number = batchNumber + 1 }
        if session.isOpen { batchNumber += 1 }
        session.handleFrame(PeerMessage.batch(batch).frame)
    }

    // MARK: The store

    /// An app of this device writes, at times much.
    private func commit() {
        ownSequence += 1
        let (lane, choice) = (input.pick(Lane.allCases), input.byte())
        let write = SessionScript.write(ownSequence, lane, bytes: choice < 0xf0 ? Int(choice) : 100_000)
        let claim = VersionVector([(write.dot.origin, ownSequence)])
        precondition(
            store.keep(StoreTransaction(lane: lane, writes: [write], completing: claim)) != nil,
            "own writes are taken")
    }

    private func fail() {
        // A store drops the requests behind a failed one.
        requests = []
        session.handleAnswer(StoreAnswer.failed(StoreFailure(input.pick([.full, .failed]), "on purpose")))
    }

    private func answerAll() {
        var left = 1000
        while !requests.isEmpty, left > 0 {
            answerOne()
            collectRequests()
            left -= 1
        }
    }

    private func answerOne() {
        guard !requests.isEmpty else { return }
        switch requests.removeFirst() {
        case .summary:
            session.handleAnswer(.summary(store.summary(for: SessionScript.peer, now: SessionPair.noon)))
        case .changes(let request): session.handleAnswer(.changes(request.lane, store.changes(request)))
        case .range(let request): session.handleAnswer(.range(request.lane, store.range(request)))
        case .check(let time): session.handleAnswer(.check(store.check(toldAt: time, now: SessionPair.noon)))
        case .sums(let lane, let time): session.handleAnswer(.sums(store.recount(lane, at: time)))
        case .part(let request): session.handleAnswer(.part(request.lane, store.part(request)))
        case .keepReports(let reports): session.handleAnswer(.keptReports(store.keep(reports)))
        case .apply(let transaction):
            guard let commit = store.keep(transaction) else {
                requests = []
                return session.handleAnswer(.failed(StoreFailure(.peerSetBack, "a snapshot is needed")))
            }
            session.handleAnswer(.applied(transaction.lane, commit))
            session.handleCommit(transaction.lane)
        }
    }

    // MARK: Outputs

    private func drain() throws(FuzzViolation) {
        while let event = session.nextEvent() { watch.note(event) }
        collectRequests()
        while let frame = session.nextFrame() { try watch.note(frame) }
        try watch.judge(session, requests)
    }

    private func collectRequests() {
        while let request = session.nextStoreRequest() { requests.append(request) }
    }
}
