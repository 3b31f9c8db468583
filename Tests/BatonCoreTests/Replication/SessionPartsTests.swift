import BatonCore
import Support
import Testing

private typealias Script = SessionScript

@Suite struct `Two nodes whose devices have had many lives` {
    /// Returns the claims of this many lives with two lanes each.
    private func claims(_ lives: Int, seed: UInt64 = 1) -> VersionVector {
        var generator = SeededGenerator(seed: seed)
        return VersionVector(
            (0..<lives).flatMap { _ in
                let life = generator.identifier(Life.self)
                return Lane.allCases.map { (Origin(life: life, lane: $0), generator.next() % 60_000 + 1) }
            })
    }

    private func store(_ complete: VersionVector) -> InMemoryStore {
        let store = InMemoryStore()
        for lane in Lane.allCases {
            store.keep(
                StoreTransaction(lane: lane, writes: [], completing: complete.restricted(to: lane)))
        }
        return store
    }

    @Test func `exchange at most two kibibytes if they are in step`() {
        let complete = claims(1000)
        let pair = SessionPair(store(complete), store(complete))
        pair.play()
        #expect(pair.carried == [.hello, .hello] && pair.isInStep)
        #expect(pair.carriedBytes <= 2048, "\(pair.carriedBytes) bytes")
    }

    @Test(arguments: Seeds.first(10))
    func `exchange at most four kibibytes for one change among two thousand origins`(_ seed: UInt64) {
        let complete = claims(1000, seed: seed)
        let (one, two) = (store(complete), store(complete))
        var journal = Journal(life: Life(high: seed, low: seed), latest: .zero)
        let draft = Journal.Draft(.full(Write.Content(fields: .told([1: 1]))), .told(kind: .device))
        if let transaction = journal.transaction(.activities, [draft], now: WallTime(milliseconds: 0)) {
            one.keep(transaction)
        }
        let pair = SessionPair(one, two)
        pair.play()
        #expect(pair.isInStep && pair.closed == nil && one.summary().complete == two.summary().complete)
        #expect(pair.carriedWrites == 1)
        #expect(pair.carriedBytes <= 4096, "\(pair.carriedBytes) bytes")
    }

    @Test(arguments: [(0, 300), (300, 0), (20, 300), (33, 31), (300, 300), (1, 1)])
    func `come into step whatever claims each has`(_ lives: (Int, Int)) {
        let common = claims(40, seed: 3)
        var (mine, theirs) = (claims(lives.0, seed: 4), claims(lives.1, seed: 5))
        for isShared in [false, true] {
            if isShared { (mine, theirs) = ([mine, common].joined, [theirs, common].joined) }
            let (one, two) = (store(mine), store(theirs))
            let pair = SessionPair(one, two)
            pair.play()
            #expect(pair.isInStep && pair.closed == nil)
            #expect(one.summary().complete == two.summary().complete)
            #expect(one.summary().complete == [mine, theirs].joined)
        }
    }

    // MARK: Messages

    private func hello(_ complete: VersionVector, _ parts: VectorParts? = nil) -> PeerMessage {
        .hello(
            Hello(
                account: Script.account, device: Script.peer, name: "peer", completeDigest: complete.digest,
                port: nil, build: "0", parts: parts))
    }

    /// Returns a session with those claims, greeted by a peer with the others.
    private func script(_ own: VersionVector, _ peer: VersionVector, salt: UInt64?) -> SessionScript {
        let script = SessionScript()
        script.handle(Script.summary(own))
        script.handle(hello(peer, salt.map { VectorParts(of: peer, salt: $0) }))
        return script
    }

    @Test func `send digests of parts only for more than 32 origins, and single parts only in reply`() throws
    {
        for (count, isTold) in [(32, false), (33, true)] {
            let complete = claims(count)
            let messages = try script(complete, claims(40, seed: 7), salt: nil).takeMessages()
            guard case .hello(let hello) = messages[0], case .standing(let standing) = messages[1] else {
                Issue.record("\(messages)")
                return
            }
            #expect((hello.parts != nil) == isTold)
            #expect(standing == Standing(complete: complete))
        }
        let (own, peer) = (claims(50), claims(50, seed: 5))
        let changed = [own, peer.restricted(to: VectorPartSet([5]))].joined
        guard case .standing(let standing)? = try script(own, changed, salt: 9).takeMessages().last else {
            Issue.record("there is no standing")
            return
        }
        #expect(standing.parts == VectorPartSet([5]))
        #expect(standing.complete == own.restricted(to: VectorPartSet([5])))
    }

    @Test func `end the session if the peer sends parts that were not requested`() throws {
        let large = claims(50)
        var standing = Standing(complete: Script.compared, parts: VectorPartSet([9]))
        for (own, expected) in [(VersionVector(), CloseCode.unexpected), (large, .mistaken)] {
            let script = script(own, Script.compared, salt: nil)
            script.handle(.standing(standing))
            #expect(script.closeCode == expected)
        }
        standing.parts = VectorPartSet([10])
        let script = script(large, Script.compared, salt: nil)
        script.handle(.standing(standing))
        #expect(script.closeCode == .malformed && CloseCode.mistaken.isTransient)
    }

    @Test func `replace their knowledge of the peer's vector only in the parts that differ`() throws {
        let (own, all) = (claims(50), VectorPartSet(0..<VectorParts.count))
        var peer = own
        peer.join(Script.compared)
        let script = script(own, peer, salt: nil)
        let part = VectorPartSet([9])
        script.handle(.standing(Standing(complete: peer.restricted(to: part), parts: part)))
        #expect(script.isOpen)
        #expect(peer.restricted(to: all) == peer && own.replacing(all, with: peer) == peer)
    }

    @Test func `salt the digests of parts, so that a collision does not occur twice`() {
        let complete = claims(50)
        let digests = (1...2).map { VectorParts(of: complete, salt: $0).digests }
        #expect(zip(digests[0], digests[1]).allSatisfy { $0 != $1 })
        #expect(VectorParts(of: complete, salt: 1).differing(from: complete) == VectorPartSet([]))
    }

    /// Collected origins that both claim are no news.
    @Test func `omit dropped vectors for the parts that are equal`() throws {
        let (own, extra) = (claims(50), Script.origin(9))
        var summary = StoreSummary(complete: own, settled: [:], heads: [:], clock: .zero, dropped: own)
        summary.dropped.extend(extra, to: 4)
        let script = SessionScript()
        script.handle(StoreAnswer.summary(summary))
        var peer = own
        peer.join(claims(1, seed: 8))
        script.handle(hello(peer, VectorParts(of: peer, salt: 3)))
        guard case .standing(let standing)? = try script.takeMessages().last else {
            Issue.record("there is no standing")
            return
        }
        let told = try #require(standing.parts)
        let beyond = VersionVector([(extra, 4 as UInt64)])
        #expect(standing.dropped == [own.restricted(to: told), beyond].joined)
        #expect(standing.dropped.count < own.count)
    }
}

extension [VersionVector] {
    /// A vector of everything that they cover.
    fileprivate var joined: VersionVector { reduce(into: VersionVector()) { $0.join($1) } }
}
