import BatonCore
import BatonStore
import Support
import Testing

/// A lane whose quarantine is full.
@Suite struct `A store with a full quarantine` {
    private static let account = AccountIdentifier(high: 1, low: 2)

    private static func write(_ sequence: UInt64, _ lane: Lane = .activities) -> Write {
        SessionScript.write(sequence, lane)
    }

    private static func unreadable(_ sequence: UInt64, _ lane: Lane = .activities) -> QuarantinedWrite {
        let write = write(sequence, lane)
        return QuarantinedWrite(
            dot: write.dot,
            target: QuarantinedWrite.Target(identity: write.identity, incarnation: write.stamp),
            reason: "a record that can't be read: on purpose", peer: SessionScript.peer)
    }

    private static func transaction(
        _ writes: [Write] = [], _ quarantined: [QuarantinedWrite], _ lane: Lane = .activities
    ) -> StoreTransaction {
        var transaction = StoreTransaction(
            lane: lane, writes: writes, completing: VersionVector(),
            resume: StoreTransaction.Resume(peer: SessionScript.peer, token: ResumeToken(bytes: [1])))
        transaction.quarantined = quarantined
        return transaction
    }

    /// Opens a store in a folder, and quarantines the first unreadable writes in its activities lane.
    private static func full(_ folder: TemporaryFolder) throws -> SQLiteStore {
        let store = try SQLiteStore(folder: folder.path, account: account)
        let first = (1...UInt64(Limits.quarantinedWrites)).map { unreadable($0) }
        _ = try store.commit(transaction([], first))
        return store
    }

    @Test
    func `a full quarantine refuses a transaction that has another unreadable write, and gives a reason`()
        throws
    {
        let folder = try TemporaryFolder()
        let store = try Self.full(folder)
        let next = UInt64(Limits.quarantinedWrites) + 1
        let failure = #expect(throws: StoreFailure.self) {
            var transaction = Self.transaction([Self.write(5000)], [Self.unreadable(next)])
            transaction.resume = StoreTransaction.Resume(
                peer: SessionScript.peer, token: ResumeToken(bytes: [2]))
            _ = try store.commit(transaction)
        }
        #expect(failure?.code == .unreadable)
        #expect(
            failure?.text
                == "more than \(Limits.quarantinedWrites) records can't be read: a record that can't be read: on purpose"
        )
        for store in [store, try SQLiteStore(folder: folder.path, account: Self.account)] {
            #expect(store.quarantined().count == Limits.quarantinedWrites)
            #expect(try store.record(Self.write(5000).identity) == nil)
            #expect(try store.summary(for: SessionScript.peer).resume[.activities]?.bytes == [1])
        }
    }

    @Test
    func `a full quarantine accepts known unreadable writes, readable writes, and writes of the other lane`()
        throws
    {
        let folder = try TemporaryFolder()
        let store = try Self.full(folder)
        #expect(
            try store.commit(Self.transaction([Self.write(5000)], [Self.unreadable(1)])).quarantined == [])
        #expect(try store.record(Self.write(5000).identity)?.isThere == true)
        #expect(
            try store.commit(Self.transaction([], [Self.unreadable(1, .index)], .index)).quarantined.count
                == 1)
    }

    @Test func `a quarantined write that becomes readable or is overwritten makes room for another`()
        throws
    {
        let folder = try TemporaryFolder()
        let store = try Self.full(folder)
        let next = (1...3).map { UInt64(Limits.quarantinedWrites) + $0 }
        let overwriting = Write(
            deleting: Self.write(8).identity, dot: Self.write(6000).dot, stamp: Self.write(6000).stamp)
        let commit = try store.commit(Self.transaction([Self.write(7), overwriting], []))
        #expect(commit.resolved == [Self.write(7).dot, Self.write(8).dot])
        #expect(
            try store.commit(Self.transaction([], next.prefix(2).map { Self.unreadable($0) })).quarantined
                .count
                == 2)
        #expect(throws: StoreFailure.self) {
            _ = try store.commit(Self.transaction([], [Self.unreadable(next[2])]))
        }
        #expect(store.quarantined().count == Limits.quarantinedWrites)
    }
}
