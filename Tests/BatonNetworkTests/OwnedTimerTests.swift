import BatonNetwork
import Testing

@Suite struct `A timer that its owner holds` {
    @Test func `the action runs once, at its deadline, and the timer is then no longer set`() throws {
        try withLoop { loop in
            let timer = OwnedTimer(on: loop)
            let (start, deadline) = (loop.now, loop.now + .milliseconds(20))
            #expect(!timer.isSet)
            var runs = 0
            timer.set(at: deadline) {
                #expect(!timer.isSet)
                runs += 1
            }
            #expect(timer.isSet && timer.deadline == deadline)
            loop.expect("the action runs") { runs == 1 }
            #expect(loop.now - start >= .milliseconds(20))
            loop.run(for: .milliseconds(10))
            #expect(runs == 1 && timer.deadline == nil)
        }
    }

    @Test func `setting the timer replaces its earlier action`() throws {
        try withLoop { loop in
            let timer = OwnedTimer(on: loop)
            var ran: [String] = []
            timer.set(after: .milliseconds(5)) { ran.append("first") }
            timer.set(after: .milliseconds(10)) { ran.append("second") }
            loop.run(for: .milliseconds(30))
            #expect(ran == ["second"])
        }
    }

    @Test func `an action can set its timer again`() throws {
        try withLoop { loop in
            let timer = OwnedTimer(on: loop)
            var runs = 0
            func run() {
                runs += 1
                timer.set(after: .milliseconds(1), run)
            }
            run()
            loop.expect("the timer repeats") { runs == 5 }
            timer.cancel()
            loop.run(for: .milliseconds(10))
            #expect(runs == 5 && !timer.isSet)
        }
    }

    @Test func `a cancelled action does not run, even if it was due in the same turn`() throws {
        try withLoop { loop in
            let timers = (0..<3).map { _ in OwnedTimer(on: loop) }
            let moment = loop.now + .milliseconds(5)
            var ran: [String] = []
            timers[0].set(at: moment) {
                ran.append("first")
                timers[1].cancel()
            }
            timers[1].set(at: moment) { ran.append("second") }
            timers[2].set(at: moment) { ran.append("third") }
            timers[2].cancel()
            timers[2].cancel()
            loop.run(for: .milliseconds(20))
            #expect(ran == ["first"])
        }
    }

    @Test func `releasing an owner cancels its timer`() throws {
        try withLoop { loop in
            var runs = 0
            var owner: Owner? = Owner(on: loop, after: .milliseconds(5)) { runs += 1 }
            weak var released: Owner?
            released = owner
            owner = nil
            #expect(released == nil)
            loop.run(for: .milliseconds(20))
            #expect(runs == 0)
            owner = Owner(on: loop, after: .milliseconds(5)) { runs += 1 }
            loop.expect("the timer of a living owner runs") { runs == 1 }
        }
    }

    @Test func `an action may release the owner of its own timer`() throws {
        try withLoop { loop in
            var owner: Owner?
            var isRun = false
            owner = Owner(on: loop, after: .milliseconds(5)) {
                owner = nil
                isRun = true
            }
            loop.expect("the action runs") { isRun }
            #expect(owner == nil)
        }
    }

    @Test func `a cancelled action may release the owners of other timers`() throws {
        try withLoop { loop in
            let timer = OwnedTimer(on: loop)
            var runs = 0
            for _ in 0..<3 {
                let others = (0..<200).map { _ in Owner(on: loop, after: .milliseconds(5)) { runs += 1 } }
                timer.set(after: .seconds(60)) { withExtendedLifetime(others) {} }
            }
            timer.cancel()
            loop.run(for: .milliseconds(20))
            #expect(runs == 0)
        }
    }

    @Test func `closing the loop releases the action, and cancelling the timer afterwards is harmless`()
        throws
    {
        let timer: OwnedTimer
        weak var held: Owner?
        do {
            let loop = try EventLoop()
            timer = OwnedTimer(on: loop)
            let owner = Owner(on: loop, after: .seconds(60)) {}
            held = owner
            timer.set(after: .seconds(60)) { [loop] in withExtendedLifetime((owner, loop)) {} }
            loop.close()
        }
        #expect(held == nil)
        timer.set(after: .zero) { Issue.record("an action ran on a closed loop") }
        timer.cancel()
    }
}

/// An object with a timer whose action knows its owner.
private final class Owner {
    private let timer: OwnedTimer
    private let action: () -> Void

    init(on loop: EventLoop, after delay: Duration, _ action: @escaping () -> Void) {
        (timer, self.action) = (OwnedTimer(on: loop), action)
        timer.set(after: delay) { [unowned self] in run() }
    }

    private func run() { action() }
}
