import BatonNetwork
import Testing

@testable import BatonNode

/// The order in which handshakes are done.
@Suite struct `The queue of handshakes` {
    private final class Waiting {
        let name: String
        init(_ name: String) { self.name = name }
    }

    private func host(_ number: UInt32) -> SocketAddress.Host { .version4(0x0a00_0000 + number) }

    private func order(_ queue: inout HandshakeQueue<Waiting>) -> [String] {
        var names: [String] = []
        while let next = queue.removeFirst() { names.append(next.name) }
        return names
    }

    @Test func `takes clients with a hint first, and then one client from each source in turn`() {
        var queue = HandshakeQueue<Waiting>()
        for number in 1...3 {
            queue.append(Waiting("flood \(number)"), from: host(1), isMembers: false, isHinted: false)
        }
        queue.append(Waiting("hinted"), from: host(1), isMembers: false, isHinted: true)
        queue.append(Waiting("other"), from: host(2), isMembers: false, isHinted: false)
        let names = order(&queue)
        #expect(names == ["hinted", "other", "flood 1", "flood 2", "flood 3"])
        #expect(queue.isEmpty)
    }

    @Test func `gives every second turn to sources of members`() {
        var queue = HandshakeQueue<Waiting>()
        for number in 1...40 {
            queue.append(Waiting("\(number)"), from: host(UInt32(number)), isMembers: false, isHinted: true)
        }
        for name in ["a", "b"] {
            queue.append(Waiting(name), from: host(100), isMembers: true, isHinted: true)
        }
        let names = order(&queue)
        #expect(names.prefix(5) == ["a", "1", "b", "2", "3"])
    }

    @Test func `drops closed connections`() {
        var queue = HandshakeQueue<Waiting>()
        let all = (1...3).map { Waiting("\($0)") }
        for waiting in all { queue.append(waiting, from: host(1), isMembers: false, isHinted: true) }
        queue.remove(all[0], from: host(1))
        queue.remove(all[0], from: host(2))
        let names = order(&queue)
        #expect(names == ["2", "3"])
        queue.append(all[1], from: host(1), isMembers: true, isHinted: true)
        queue.remove(all[1], from: host(1))
        #expect(queue.isEmpty)
    }
}

/// The share of a thread that one kind of work may take.
@Suite struct `A budget of work` {
    @Test func `allows work for a share of each second, and delays the excess`() {
        var now = MonotonicTime(nanoseconds: 0)
        var budget = WorkBudget(share: 0.25, burst: .milliseconds(100), now: now)
        func allows() -> Bool { budget.allows(at: now) }
        #expect(allows())
        budget.charge(.milliseconds(350))
        #expect(!allows())
        #expect(budget.pause > .milliseconds(1000) && budget.pause < .milliseconds(1010))
        now = now + budget.pause
        #expect(allows())
        // An idle time of any length saves no more than the burst.
        now = now + .seconds(600)
        #expect(allows())
        budget.charge(.milliseconds(101))
        #expect(!allows())
        #expect(budget.pause < .milliseconds(10))
    }
}
