import BatonCore
import BatonNetwork
import BatonNode
import BatonStore
import Support
import Synchronization
import Testing

@Suite struct `The threads of a store` {
    @Test(arguments: Lane.allCases)
    func `a busy lane does not delay writes to the other lane`(_ busy: Lane) throws {
        let threads = try Threads(try TemporaryFolder())
        let free: Lane = busy == .activities ? .index : .activities
        let gate = threads.block(busy)
        threads.commit(1, in: busy, name: "behind")
        threads.commit(1, in: free, name: "beside")
        try eventually("a commit beside") { threads.lines.contains("beside") }
        #expect(!threads.lines.contains("behind"))
        gate.leave(true)
        try eventually("a commit behind") { threads.lines.contains("behind") }
    }

    @Test func `a job that may wait is performed together with the next one`() throws {
        let loop = try EventLoop()
        let threads = try Threads(try TemporaryFolder(), gathering: (OwnedTimer(on: loop), .seconds(60))) {
            loop.afterTurn($0)
        }
        threads.commit(1, in: .activities, mayWait: true, name: "waiting")
        _ = loop.run(until: loop.now + .milliseconds(20)) { threads.lines.contains("waiting") }
        #expect(!threads.lines.contains("waiting"))
        threads.commit(2, in: .activities, name: "next")
        let isDone = loop.run(until: loop.now + .seconds(30)) {
            loop.nextTurn {}
            return threads.lines.contains("next")
        }
        #expect(isDone && threads.lines.suffix(2) == ["waiting", "next"])
    }

    @Test func `a job that may wait is performed after a delay if no other job comes`() throws {
        let loop = try EventLoop()
        let threads = try Threads(try TemporaryFolder(), gathering: (OwnedTimer(on: loop), .milliseconds(5)))
        {
            loop.afterTurn($0)
        }
        threads.commit(1, in: .activities, mayWait: true, name: "waiting")
        let isDone = loop.run(until: loop.now + .seconds(30)) {
            loop.nextTurn {}
            return threads.lines.contains("waiting")
        }
        #expect(isDone)
    }

    /// The jobs that ran in each lane, and the reported ones, both in order.
    private final class JobLog: Sendable {
        let done = Mutex<[Lane: [Int]]>([:])
        let told = Mutex<[Int]>([])
    }

    @Test(arguments: Seeds.first(8))
    func `jobs run in the order of their lane, and account-wide jobs in the order of both lanes`(
        _ seed: UInt64
    )
        throws
    {
        var generator = SeededGenerator(seed: seed)
        let (threads, jobs) = (try Threads(try TemporaryFolder()), JobLog())
        var lanes: [Lane?] = []
        var counts: [Lane: UInt64] = [:]
        for number in 0..<300 {
            let lane = generator.pick([.activities, .index, generator.chance(20) ? nil : .index] as [Lane?])
            lanes.append(lane)
            let tell = { (number: Int) in jobs.told.withLock { $0.append(number) } }
            if let lane {
                counts[lane, default: 0] += 1
                let transaction = Threads.transaction(counts[lane, default: 0], in: lane)
                threads.store.submit(to: lane, durably: generator.chance(2)) { (store) throws(StoreFailure) in
                    _ = try store.commit(transaction)
                    jobs.done.withLock { $0[lane, default: []].append(number) }
                } then: { _ in
                    tell(number)
                }
            } else {
                let expected = counts
                threads.store.submitToAccount { (store) throws(StoreFailure) in
                    // Everything submitted before is stored, and nothing submitted to the index later.
                    for lane in Lane.allCases {
                        let sequence = try store.lane(lane).mark(of: Threads.life)?.sequence ?? 0
                        let before = expected[lane, default: 0]
                        #expect(sequence == before || lane == .activities && sequence > before)
                        jobs.done.withLock { $0[lane, default: []].append(number) }
                    }
                } then: { _ in
                    tell(number)
                }
            }
        }
        threads.store.finish()
        let numbers = { (lane: Lane) in lanes.indices.filter { lanes[$0] == lane || lanes[$0] == nil } }
        let (done, told) = (jobs.done.withLock { $0 }, jobs.told.withLock { $0 })
        #expect(told.count == lanes.count)
        #expect(done[.index] == numbers(.index))
        for lane in Lane.allCases {
            let isAbout = { (number: Int) in lanes[number] == lane || lanes[number] == nil }
            #expect(done[lane]?.sorted() == numbers(lane))
            #expect(done[lane]?.filter { lanes[$0] == lane } == numbers(lane).filter { lanes[$0] == lane })
            #expect(told.filter(isAbout) == done[lane])
        }
    }

    @Test func `activities are stored while an account-wide job waits for the index`() throws {
        let threads = try Threads(try TemporaryFolder())
        let gate = threads.block(.index)
        threads.store.submitToAccount { (store) throws(StoreFailure) in
            #expect(try store.lane(.activities).mark(of: Threads.life)?.sequence == 1)
        } then: {
            threads.note("account")($0)
        }
        threads.commit(1, in: .activities, name: "beside")
        try eventually("an activity beside") { threads.lines.contains("beside") }
        #expect(!threads.lines.contains("account"))
        gate.leave(true)
        try eventually("what concerns the account") { threads.lines.contains("account") }
    }

    @Test func `jobs begin at the end of the event loop turn that submits them`() throws {
        var ends: [() -> Void] = []
        let threads = try Threads(try TemporaryFolder()) { ends.append($0) }
        try eventually("an open store") { threads.lines == ["opened []"] }
        threads.commit(1, in: .activities, name: "first")
        threads.store.submitToAccount { (_) throws(StoreFailure) in
        } then: {
            threads.note("account")($0)
        }
        threads.commit(1, in: .index, name: "second")
        #expect(ends.count == 1, "a turn asks for its end only once")
        #expect(threads.lines == ["opened []"])
        ends.removeFirst()()
        try eventually("what the turn submitted") {
            threads.lines == ["opened []", "first", "account", "second"]
        }
        threads.commit(2, in: .activities, name: "third")
        #expect(ends.count == 1, "the next turn asks for its own end")
        // The end of this turn never comes; `finish` runs the jobs.
        threads.store.finish()
        #expect(threads.lines.last == "third")
    }

    @Test func `a failed job fails later jobs of the same line in its lane only`() throws {
        let threads = try Threads(try TemporaryFolder())
        let (line, other) = (StoreLine(), StoreLine())
        let gates = Lane.allCases.map { threads.block($0) }
        threads.commit(1, in: .activities, line: line, name: "before")
        threads.store.submit(to: .activities, in: line) { (_) throws(StoreFailure) in
            throw StoreFailure(.failed, "on purpose")
        } then: {
            threads.note("it")($0)
        }
        threads.commit(2, in: .activities, line: line, name: "behind")
        threads.commit(3, in: .activities, line: other, name: "of another line")
        threads.commit(1, in: .index, line: line, name: "of the other lane")
        threads.store.submitToAccount(in: line) { (_) throws(StoreFailure) in
        } then: {
            threads.note("of the account")($0)
        }
        threads.commit(2, in: .index, line: line, name: "behind the account")
        for gate in gates { gate.leave(true) }
        try threads.wait { (store) throws(StoreFailure) in
            #expect(try store.lane(.activities).mark(of: Threads.life)?.sequence == 3)
            #expect(try store.lane(.index).mark(of: Threads.life)?.sequence == 1)
            #expect(try store.record(Threads.transaction(2, in: .activities).writes[0].identity) == nil)
        }
        #expect(
            Set(threads.lines) == [
                "opened []", "before", "it failed", "behind failed", "of another line", "of the other lane",
                "of the account failed", "behind the account failed",
            ])
    }

    @Test
    func
        `a failed job fails later jobs of dependent lines, and a dependent line's failure fails no other line`()
        throws
    {
        let threads = try Threads(try TemporaryFolder())
        let line = StoreLine()
        let (first, second) = (StoreLine(behind: line), StoreLine(behind: line))
        let gates = Lane.allCases.map { threads.block($0) }
        for (line, name) in [(first, "one of the first"), (line, "one of all")] {
            threads.store.submit(to: .activities, in: line) { (_) throws(StoreFailure) in
                throw StoreFailure(.failed, "on purpose")
            } then: {
                threads.note(name)($0)
            }
            if line === first { threads.commit(1, in: .activities, line: second, name: "of the second") }
        }
        threads.commit(2, in: .activities, line: second, name: "behind")
        threads.commit(3, in: .activities, line: StoreLine(), name: "of another line")
        threads.commit(1, in: .index, line: second, name: "of the other lane")
        for gate in gates { gate.leave(true) }
        try threads.wait { (store) throws(StoreFailure) in
            #expect(try store.record(Threads.transaction(2, in: .activities).writes[0].identity) == nil)
        }
        #expect(
            Set(threads.lines) == [
                "opened []", "one of the first failed", "of the second", "one of all failed", "behind failed",
                "of another line", "of the other lane",
            ])
    }

    @Test func `cancelling a line fails its waiting jobs, and no others`() throws {
        let threads = try Threads(try TemporaryFolder())
        let (line, other) = (StoreLine(), StoreLine())
        threads.commit(1, in: .activities, line: line, name: "done before")
        try threads.wait { (_) throws(StoreFailure) in }
        let gates = Lane.allCases.map { threads.block($0) }
        threads.commit(2, in: .activities, line: line, name: "waiting")
        threads.commit(3, in: .activities, line: other, name: "of another line")
        threads.commit(1, in: .index, line: line, name: "of the other lane")
        threads.store.submitToAccount(in: line) { (_) throws(StoreFailure) in
        } then: {
            threads.note("of the account")($0)
        }
        line.cancel()
        for gate in gates { gate.leave(true) }
        try threads.wait { (store) throws(StoreFailure) in
            #expect(try store.record(Threads.transaction(1, in: .activities).writes[0].identity) != nil)
            #expect(try store.record(Threads.transaction(2, in: .activities).writes[0].identity) == nil)
            #expect(try store.record(Threads.transaction(3, in: .activities).writes[0].identity) != nil)
            #expect(try store.record(Threads.transaction(1, in: .index).writes[0].identity) == nil)
        }
        #expect(
            Set(threads.lines) == [
                "opened []", "done before", "waiting failed", "of another line", "of the other lane failed",
                "of the account failed",
            ])
    }

    /// A row that can't be inserted rolls back the whole transaction of SQLite, with the changes of other jobs in it.
    @Test
    func
        `jobs of a failed transaction are retried one by one, and if one fails, later jobs of its line fail`()
        throws
    {
        let folder = try TemporaryFolder()
        _ = try SQLiteStore(folder: folder.path, account: Threads.account).summary()
        try SQLiteScript.run(
            """
            CREATE TRIGGER fault BEFORE INSERT ON records WHEN NEW.sequence = 2
            BEGIN SELECT RAISE(ROLLBACK, 'full'); END
            """, on: folder.path + "/activities.sqlite")
        let threads = try Threads(folder)
        let (line, other) = (StoreLine(), StoreLine())
        let gate = threads.block(.activities)
        for (sequence, line) in [(1, line), (2, line), (3, line), (4, other)] as [(UInt64, StoreLine)] {
            threads.commit(sequence, in: .activities, line: line, name: "\(sequence)")
        }
        threads.commit(1, in: .index, line: line, name: "index")
        gate.leave(true)
        let there = try threads.wait { (store) throws(StoreFailure) in
            try store.records(of: RecordKind(rawValue: 8)).count
        }
        #expect(there == 2)
        #expect(threads.lines.filter { $0 != "index" } == ["opened []", "1", "2 failed", "3 failed", "4"])
    }

    @Test func `closing completes the submitted jobs, and fails later ones`() throws {
        let threads = try Threads(try TemporaryFolder())
        let gate = threads.block(.index)
        for lane in Lane.allCases { threads.commit(1, in: lane, name: "before") }
        // The job asks for both lanes when it runs, which is after the call of `close`.
        threads.store.submitToAccount { (store) throws(StoreFailure) in
            #expect(try store.lane(.activities).mark(of: Threads.life)?.sequence == 1)
        } then: {
            threads.note("of the account")($0)
        }
        let folder = threads.folder.path
        threads.store.close { () throws(StoreFailure) in
            // The files are closed by now.
            let store = try SQLiteStore(folder: folder, account: Threads.account)
            for lane in Lane.allCases {
                #expect(try store.lane(lane).mark(of: Threads.life)?.sequence == 1)
            }
        } then: {
            threads.note("closed")($0)
        }
        for lane in Lane.allCases { threads.commit(2, in: lane, name: "behind") }
        gate.leave(true)
        threads.store.finish()
        #expect(threads.lines.count { $0 == "behind failed" } == 2)
        #expect(
            threads.lines.filter { $0 != "behind failed" } == [
                "opened []", "before", "before", "of the account", "closed",
            ])
    }

    @Test(arguments: Lane.allCases)
    func `a job in a damaged lane fails after the lane's rescue, and the other lane is not affected`(
        _ lane: Lane
    )
        throws
    {
        let folder = try TemporaryFolder()
        let other: Lane = lane == .activities ? .index : .activities
        do {
            let store = try SQLiteStore(folder: folder.path, account: Threads.account)
            for lane in Lane.allCases {
                for sequence in UInt64(1)...300 {
                    _ = try store.commit(Threads.transaction(sequence, in: lane))
                }
            }
        }
        let threads = try Threads(folder)
        // Wait until the store is open: cached pages would not be read again.
        try threads.wait { (_) throws(StoreFailure) in }
        try FileDamage.flipPages(of: folder.path + "/\(lane).sqlite")
        let time = HybridTime(shownBy: presentTime)
        let kind = RecordKind(rawValue: 8 + UInt64(lane.rawValue))
        threads.store.submit(to: lane) { (store) throws(StoreFailure) in
            try store.records(of: kind).count
        } then: {
            threads.note("reading")($0)
        }
        threads.commit(301, in: other, name: "other")
        try eventually("an answer: \(threads.lines)") { threads.lines.contains("reading failed") }
        let lines = threads.lines.filter { $0 != "other" }
        #expect(lines == ["opened []", "opened [\"\(lane)\"]", "reading failed"])
        // Later jobs use the rescued lane, which no longer claims the writes of that life.
        threads.commit(302, in: lane, name: "later")
        let marks = try threads.wait { (store) throws(StoreFailure) in
            try Lane.allCases.map { (lane) throws(StoreFailure) in
                try store.lane(lane).mark(of: Threads.life)
            }
        }
        #expect(threads.lines.contains("later"))
        // Nothing that the lane has lost is later than its clock.
        let clock = try threads.wait { (store) throws(StoreFailure) in try store.summary().clock }
        #expect(clock >= time)
        #expect(marks.compactMap(\.self).contains { $0.lane == other && $0.sequence == 301 })
    }

}
