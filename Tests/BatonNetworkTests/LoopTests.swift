import BatonNetwork
import Glibc
import Support
import Synchronization
import Testing

@Suite struct `Event loop` {
    @Test func `timers run by deadline, and equal deadlines in the order of creation`() throws {
        try withLoop { loop in
            var order: [Int] = []
            let start = loop.now
            for (name, delay) in [(3, 30), (1, 10), (4, 30), (2, 20), (5, 30)] {
                loop.schedule(at: start + .milliseconds(delay)) { order.append(name) }
            }
            loop.expect("all timers run") { order.count == 5 }
            #expect(order == [1, 2, 3, 4, 5])
            #expect(loop.now - start >= .milliseconds(30))
        }
    }

    @Test func `timers run in order even if many others were cancelled`() throws {
        try withLoop { loop in
            var generator = SystemRandomNumberGenerator()
            let start = loop.now
            var due: [(Int, Int)] = []
            var ran: [Int] = []
            let timers = (0..<5000).map { _ in OwnedTimer(on: loop) }
            for (number, timer) in timers.enumerated() {
                let delay = Int.random(in: 0..<50, using: &generator)
                timer.set(at: start + .milliseconds(delay)) { ran.append(number) }
                if number % 10 == 0 { due.append((delay, number)) } else { timer.cancel() }
            }
            loop.expect("the other timers run") { ran.count == due.count }
            #expect(ran == due.sorted { $0 < $1 }.map(\.1))
        }
    }

    @Test func `a timer with a delay of zero runs after the current turn`() throws {
        try withLoop { loop in
            var order: [String] = []
            loop.schedule(after: .zero) {
                loop.schedule(after: .zero) { order.append("timer") }
                loop.afterTurn { order.append("end of turn") }
                order.append("handler")
            }
            loop.expect("all run") { order.count == 3 }
            #expect(order == ["handler", "end of turn", "timer"])
        }
    }

    @Test func `an idle loop is not woken`() throws {
        try withLoop { loop in
            let pair = try Pair(.tcp, on: loop)
            try pair.near.start(Log().handlers)
            try pair.far.start(Log().handlers)
            let cancelled = OwnedTimer(on: loop)
            cancelled.set(after: .milliseconds(50)) {}
            cancelled.cancel()
            _ = try loop.mailbox { (_: Int) in }
            // Events of the setup are handled first.
            loop.run(for: .milliseconds(100))
            let before = loop.wakeUps
            loop.run(for: .milliseconds(500))
            // The one is the timer that ends the measurement.
            #expect(loop.wakeUps - before == 1)
        }
    }

    @Test func `messages from four threads arrive once each and in order`() throws {
        struct Message: Sendable { let thread, number: Int }
        try withLoop { loop in
            var next = [0, 0, 0, 0]
            var mistakes = 0
            let mailbox = try loop.mailbox { (message: Message) in
                if next[message.thread] != message.number { mistakes += 1 }
                next[message.thread] += 1
            }
            let workers = try (0..<4).map { thread in
                try WorkerThread<Int>(name: "test-\(thread)") {
                    { jobs in for job in jobs { mailbox.post(Message(thread: thread, number: job)) } }
                }
            }
            for number in 0..<25_000 { for worker in workers { worker.submit(number) } }
            loop.expect("all messages arrive") { next == [25_000, 25_000, 25_000, 25_000] }
            #expect(mistakes == 0)
            for worker in workers { worker.finish() }
        }
    }

    @Test func `a mailbox refuses messages once its loop is closed`() throws {
        var mailbox: Mailbox<Int>?
        try withLoop { loop in
            mailbox = try loop.mailbox { (_: Int) in }
            #expect(mailbox?.post(1) == true)
        }
        #expect(mailbox?.post(2) == false)
        mailbox = try EventLoop().mailbox { (_: Int) in }
        #expect(mailbox?.post(3) == false)
    }

    @Test func `a handler that removes its mailbox gets no further messages`() throws {
        try withLoop { loop in
            var got: [Int] = []
            var mailbox: Mailbox<Int>?
            mailbox = try loop.mailbox { (number: Int) in
                got.append(number)
                if number == 2, let mailbox { loop.remove(mailbox) }
            }
            for number in 1...5 { mailbox?.post(number) }
            loop.run(for: .milliseconds(20))
            #expect(got == [1, 2])
        }
    }

    @Test func `run returns after the turn in which stop is called`() throws {
        try withLoop { loop in
            var isLast = false
            loop.schedule(after: .milliseconds(1)) {
                loop.stop()
                loop.afterTurn { isLast = true }
            }
            loop.run()
            #expect(isLast)
        }
    }

    @Test func `closing a loop releases everything that its handlers hold`() throws {
        final class Held {}
        weak var held: Held?
        do {
            let loop = try EventLoop()
            let object = Held()
            held = object
            loop.schedule(after: .seconds(60)) { [loop] in _ = (object, loop) }
            _ = try loop.mailbox { [loop] (_: Int) in _ = (object, loop) }
            let pair = try Pair(.unix, on: loop)
            let (near, far) = (pair.near, pair.far)
            try near.start(.init(received: { _ in _ = (object, near) }, ended: { _ in }))
            try far.start(.init(received: { _ in _ = (object, far) }, ended: { _ in }))
            loop.close()
            #expect(!near.isOpen)
        }
        #expect(held == nil)
    }
}

@Suite struct `Worker thread` {
    @Test func `jobs run in order, and finish returns only after all of them`() throws {
        let shared = Shared()
        let worker = try WorkerThread<Int>(name: "test-worker") {
            let own = Confined()
            return { jobs in
                own.count += jobs.count
                shared.note(jobs)
            }
        }
        for number in 0..<10_000 { #expect(worker.submit(number)) }
        worker.finish()
        #expect(shared.jobs == Array(0..<10_000))
        #expect(shared.groups <= 10_000)
        #expect(!worker.submit(1))
        worker.finish()
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `a patient job runs after all jobs that were submitted before it`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let (shared, hasBegun, isOpen) = (Shared(), Monitor(false), Monitor(false))
        let worker = try WorkerThread<Int>(name: "test-worker") {
            { jobs in
                hasBegun.change { $0 = true }
                isOpen.wait { $0 ? () : nil }
                shared.note(jobs)
            }
        }
        worker.submit(0)
        hasBegun.wait { $0 ? () : nil }
        let patient = Set((1..<60).filter { _ in generator.chance(30) })
        for number in 1..<60 { worker.submit(number, isPatient: patient.contains(number)) }
        isOpen.change { $0 = true }
        worker.finish()
        #expect(shared.jobs.sorted() == Array(0..<60))
        #expect(shared.jobs.filter(patient.contains) == patient.sorted())
        if let first = patient.min() {
            #expect(Array(shared.jobs.prefix(first + 1)) == Array(0...first), "it waits for no later job")
        }
        for (place, number) in shared.jobs.enumerated() where patient.contains(number) {
            let later = shared.jobs[place...].filter { !patient.contains($0) }
            #expect(later.allSatisfy { $0 > number }, "\(number) is late in \(shared.jobs)")
        }
    }

    @Test func `releasing a worker ends its thread and releases the state of the thread`() throws {
        let flag = Flag()
        do {
            let worker = try WorkerThread<Int>(name: "test-worker") {
                let own = Confined(flag)
                return { jobs in own.count += jobs.count }
            }
            worker.submit(1)
        }
        #expect(flag.isSet)
    }
}

/// Records the jobs that a worker has done.
private final class Shared: Sendable {
    private let groupsDone = Mutex<[[Int]]>([])
    func note(_ jobs: [Int]) { groupsDone.withLock { $0.append(jobs) } }
    var jobs: [Int] { groupsDone.withLock { $0.flatMap { $0 } } }
    var groups: Int { groupsDone.withLock { $0.count } }
}

/// A flag that is set once, from any thread.
private final class Flag: Sendable {
    private let value = Mutex(false)
    func set() { value.withLock { $0 = true } }
    var isSet: Bool { value.withLock { $0 } }
}

/// State that must not change threads.
private final class Confined {
    var count = 0
    private let flag: Flag?
    init(_ flag: Flag? = nil) { self.flag = flag }
    deinit { flag?.set() }
}
