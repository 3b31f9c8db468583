import Glibc
import Testing

@testable import BatonNetwork

@Suite struct `Alarm of an event loop` {
    @Test func `a timer that an alarm sets for its own time also runs`() throws {
        let loop = try EventLoop()
        defer { loop.close() }
        let moment = loop.now + .milliseconds(5)
        var order: [Int] = []
        loop.schedule(at: moment) {
            order.append(1)
            loop.schedule(at: moment) { order.append(2) }
        }
        #expect(loop.run(until: loop.now + .seconds(10)) { order == [1, 2] })
    }

    @Test func `the alarm accepts deadlines centuries ahead, and deadlines before the machine booted`() throws
    {
        let loop = try EventLoop()
        defer { loop.close() }
        loop.alarmFailed = { Issue.record("\($0)") }
        for nanoseconds in [Int64.max, Int64.max - 1, .min, -1, 0] {
            var isRun = false
            loop.schedule(at: MonotonicTime(nanoseconds: nanoseconds)) { isRun = true }
            loop.run(for: .milliseconds(2))
            #expect(isRun == (nanoseconds <= 0))
        }
    }

    @Test func `timers run although the kernel refuses to set the alarm, and the failure is reported once`()
        throws
    {
        var (isRefused, failures): (Bool, [NetworkError]) = (true, [])
        let loop = try EventLoop(
            alarm: Alarm { file, setting in
                guard isRefused else {
                    return Alarm.setKernelTimer(file, &setting)
                }
                errno = EINVAL
                return -1
            })
        defer { loop.close() }
        loop.alarmFailed = { failures.append($0) }
        for number in 1...3 {
            var isRun = false
            let start = loop.now
            loop.schedule(after: .milliseconds(5)) { isRun = true }
            #expect(loop.run(until: loop.now + .seconds(10)) { isRun })
            #expect(loop.now - start >= .milliseconds(5))
            #expect(failures.map(\.description) == ["Can't set a timer: Invalid argument."], "\(number)")
        }
        isRefused = false
        loop.run(for: .milliseconds(2))
        isRefused = true
        loop.run(for: .milliseconds(2))
        #expect(failures.count == 2)
    }
}
