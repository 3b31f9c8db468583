import BatonCore
import Support
import Testing

@Suite struct `The limits` {
    /// Returns the key with a name of this many bytes.
    static func key(name: Int = 8) -> RecordKey {
        RecordKey(
            kind: RecordKind(rawValue: UInt64(Int64.max)),
            name: CBORWriter.data([UInt8](repeating: 0, count: name < 24 ? name - 1 : name - 3)))
    }

    /// Returns an action with the longest of everything; its content has that many bytes if a count is given.
    static func action(_ number: UInt64, scope: Scope = .none, content: Int? = nil) -> Write.Action {
        var fields = Fields()
        // A map's head, the name of the field and the head of its value take the rest.
        if let content {
            fields.set(1) { $0.data([UInt8](repeating: 0, count: content - 7 - scope.encodedBytes)) }
        }
        // The time from which stamps count is the earliest of the batch.
        let begun = Stamp(time: number == 1 ? .zero : .largest, life: Life(high: .max, low: 3 * number + 2))
        return .count(begun: begun, Write.Content(scope: scope, fields: fields))
    }

    /// Returns a write of an origin of its own.
    static func write(_ number: UInt64, _ action: Write.Action, name: Int = 8) -> Write {
        func life(_ part: UInt64) -> Life { Life(high: .max, low: 3 * number + part) }
        return Write(
            dot: Dot(
                origin: Origin(life: life(0), lane: .index), sequence: UInt64(Int64.max), place: .max),
            key: key(name: name), stamp: Stamp(time: .largest, life: life(1)), action: action)
    }

    /// Returns the longest claim of one lane, or of both.
    static func claims(_ lanes: [Lane]) -> VersionVector {
        VersionVector(
            lanes.flatMap { lane in
                (0..<UInt64(Limits.laneOrigins)).map {
                    (Origin(life: Life(high: $0, low: .max), lane: lane), UInt64(Int64.max))
                }
            })
    }

    @Test func `leave a connection free while addresses are tried for a person, and queue all addresses`() {
        let limits = Limits()
        #expect(limits.probes < limits.deviceLinks)
        #expect(limits.waitingProbes >= Limits.deviceAddresses)
        // The node's own handshake limit must not end an attempt first.
        #expect(
            limits.addressProbeTime < limits.openingTime && limits.addressProbeTime <= limits.connectingTime)
    }

    @Test func `let a batch of the largest writes and claims fit a frame`() throws {
        let longScope = Scope([String(repeating: "s", count: Scope.bytesMost - 3)])
        #expect(longScope.encoded.count == Scope.bytesMost)
        let action = Self.action(0, scope: longScope, content: Limits.writeBytes)
        let largest = Self.write(0, action, name: RecordKey.nameBytes)
        #expect(largest.action.contentBytes == Limits.writeBytes)
        #expect(largest.name?.count == RecordKey.nameBytes)
        // Small writes up to the bytes that a batch gathers, and the largest one behind them.
        var (writes, bytes): ([Write], Int) = ([], 0)
        while bytes < Limits.largestBatchBytes {
            let number = UInt64(writes.count) + 1
            writes.append(Self.write(number, Self.action(number, scope: Scope(["\(number)"]))))
            bytes += writes[writes.count - 1].byteCount
        }
        writes.append(largest)
        let batch = Batch(number: .max, lane: .index, writes: writes, complete: Self.claims([.index]))
        let frame = PeerMessage.batch(batch).frame
        #expect(frame.body.count <= Limits.frameBytes)
        #expect(try PeerMessage(frame) == .batch(batch))
        // A store's measure is never less than the number of sent bytes.
        let parts = writes.reduce(0) { $0 + $1.byteCount }
        let bare = PeerMessage.batch(Batch(number: .max, lane: .index, writes: writes, complete: nil)).frame
        #expect(bare.body.count <= parts + 32)
    }

    @Test func `refuse a batch of too many writes`() throws {
        let life = Life(high: 1, low: 1)
        let batch = { (count: Int) in
            let deletions = (0..<UInt64(count)).map { number in
                Write(
                    deleting: RecordIdentity(kind: .item, hash: KeyHash(high: number, low: 0)),
                    dot: Dot(origin: Origin(life: life, lane: .index), sequence: number + 1),
                    stamp: Stamp(time: .zero, life: life))
            }
            return PeerMessage.batch(Batch(number: 1, lane: .index, writes: deletions, complete: nil))
        }
        let most = batch(Limits.batchWrites)
        #expect(try PeerMessage(most.frame) == most)
        let refusal = #expect(throws: CloseReason.self) {
            try PeerMessage(batch(Limits.batchWrites + 1).frame)
        }
        #expect(refusal?.code == .malformed)
    }

    @Test func `let the longest claims fit a frame together with the largest batch`() throws {
        let vector = PeerMessage.standing(Standing(complete: Self.claims(Lane.allCases))).frame
        #expect(try PeerMessage(vector) == .standing(Standing(complete: Self.claims(Lane.allCases))))
        let largestWrite = Write.overheadBytes + RecordKey.nameBytes + Limits.writeBytes
        #expect(Limits.largestBatchBytes + largestWrite + vector.body.count + 32 <= Limits.frameBytes)
        #expect(Limits.vectorOrigins == Lane.allCases.count * Limits.laneOrigins)
    }

    @Test func `have the relations that their comments state`() {
        let limits = Limits()
        #expect(Limits.frameBytes < 1 << 24, "the head of a frame has three bytes for its length")
        #expect(limits.batchBytes <= Limits.largestBatchBytes && limits.sentBytes <= Limits.windowBytes)
        #expect(Limits.largestBatchBytes <= Limits.windowBytes / 2, "a window holds more than one batch")
        let most = (Limits.largestBatchBytes + Limits.largestRangeRecordBytes) / Write.overheadBytes
        #expect(most < Limits.batchWrites, "no range has more writes than a batch may have, however small")
        #expect(RecordKey.nameBytes < Limits.writeBytes && Limits.writeBytes < Limits.frameBytes)
        #expect(PairingMessage.frameBytes <= Limits.frameBytes)
        #expect(limits.backlogBytes >= Limits.frameBytes, "a slow reader can be sent any frame")
        #expect(limits.redialTime.lowerBound < limits.redialTime.upperBound)
        #expect(limits.continuingTime < limits.openingTime)
        // The answer of an app that saved at the last moment is still waited for.
        #expect(limits.savingTime + .milliseconds(200) < limits.continuingTime)
        #expect(limits.openingTime < limits.acknowledgingTime, "a full window takes longer than a hello")
        #expect(limits.pingPause + limits.pongTime < .seconds(10), "a person waits no longer")
        let sent = limits.backlogBytes + Limits.windowBytes + Lane.allCases.count * Limits.frameBytes
        #expect(limits.backlogMost >= sent, "a slow reader can be sent a full window")
    }

    @Test func `quarantine a write whose content is too large, and no smaller write`() throws {
        let content = { Self.write(0, Self.action(0, content: $0)) }
        let (fitting, over) = (content(Limits.writeBytes), content(Limits.writeBytes + 1))
        for (write, isRead) in [(fitting, true), (over, false)] {
            let frame = PeerMessage.batch(Batch(number: 1, lane: .index, writes: [write], complete: nil))
                .frame
            guard case .batch(let batch) = try PeerMessage(frame) else {
                throw CloseReason(.unexpected, "no batch")
            }
            #expect(batch.writes == (isRead ? [write] : []))
            #expect(batch.quarantined.map(\.dot) == (isRead ? [] : [write.dot]))
        }
    }

    @Test func `keep the journal from giving dots to writes that peers would refuse`() {
        var journal = Journal(life: Life(high: 1, low: 1), latest: .zero)
        let now = WallTime(milliseconds: 0)
        let fitting = Self.action(0, content: Limits.writeBytes)
        let over = Self.action(0, content: Limits.writeBytes + 1)
        let longScope = Scope([String(repeating: "a", count: Scope.bytesMost - 2)])
        let refused: [Journal.Draft] = [
            Journal.Draft(over, Self.key()),
            Journal.Draft(.deletion, Self.key(name: RecordKey.nameBytes + 1)),
            Journal.Draft(.full(Write.Content(scope: longScope, fields: Fields())), Self.key()),
        ]
        for draft in refused { #expect(journal.transaction(.index, [draft], now: now) == nil) }
        let transaction = journal.transaction(.index, [Journal.Draft(fitting, Self.key())], now: now)
        #expect(transaction?.writes.first?.dot.sequence == 1)
    }

    @Test func `replace a too large reply to an app with a failure`() throws {
        var generator = SeededGenerator(seed: 1)
        var summary = generator.summary()
        summary.activity.info = [.string("a"): .data([UInt8](repeating: 0, count: Limits.frameBytes / 3))]
        let frame = ActivitiesReply([summary, summary, summary], isLast: true).frame(number: 7)
        let answer = try LocalAnswer(frame)
        guard case .failure(let failure) = try answer.result(ActivitiesReply.self) else {
            throw CloseReason(.unexpected, "no failure")
        }
        #expect(answer.number == 7 && failure.code == .tooLarge)
    }
}

extension Scope {
    /// The number of bytes that a scope of few parts takes.
    fileprivate var encodedBytes: Int { 1 + encoded.count }
}

extension CBORWriter {
    /// The encoding of these bytes alone.
    fileprivate static func data(_ value: [UInt8]) -> [UInt8] {
        var writer = CBORWriter()
        writer.data(value)
        return writer.bytes
    }
}
