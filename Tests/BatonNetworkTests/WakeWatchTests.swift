import BatonNetwork
import Testing

/// Noticing that the machine woke up.
@Suite struct `Wake watch` {
    @Test func `a sleep of the machine is reported once, with its length`() throws {
        try withLoop { loop in
            var (slept, woken) = (Duration.seconds(100), [Duration]())
            let watch = try WakeWatch(on: loop, sleptTime: { slept }, woke: { woken.append($0) })
            defer { watch.close() }
            watch.look()
            #expect(woken.isEmpty)
            slept += .seconds(3600)
            watch.look()
            watch.look()
            #expect(woken == [.seconds(3600)])
        }
    }

    @Test func `reading the two clocks at slightly different times does not count as sleep`() throws {
        try withLoop { loop in
            var (slept, isWoken) = (Duration.zero, false)
            let watch = try WakeWatch(on: loop, sleptTime: { slept }, woke: { _ in isWoken = true })
            defer { watch.close() }
            // The two clocks are read one after the other.
            for microseconds in [1, 40, 3] {
                slept = .microseconds(microseconds)
                watch.look()
            }
            #expect(!isWoken)
        }
    }

    @Test func `the watch does not wake an idle loop`() throws {
        try withLoop { loop in
            let watch = try WakeWatch(on: loop, woke: { _ in })
            defer { watch.close() }
            let before = loop.wakeUps
            loop.run(for: .milliseconds(50))
            #expect(loop.wakeUps - before <= 2)
            #expect(WakeWatch.sleptTime() >= .milliseconds(-1))
        }
    }
}
