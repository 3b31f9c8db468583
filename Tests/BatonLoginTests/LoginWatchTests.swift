import BatonLogin
import Foundation
import LoginSupport
import Support
import Synchronization
import Testing

/// The moments at which a person leaves the machine, as logind tells them.
@Suite(.enabled(if: PrivateBus.isThere, Comment(rawValue: PrivateBus.advice)))
struct `A watch on the person's session` {
    /// A thread with a watch, whose moments a test reads.
    private final class Watching: @unchecked Sendable {
        let moments = Mutex<[LoginWatch.Moment]>([])
        let failure = Mutex<BusError?>(nil)
        private let isBegun = Mutex(false)
        private let isOver = Mutex(false)
        private var ends: [Int32] = [0, 0]

        init(at address: String) throws {
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            #expect(socketpair(AF_UNIX, kind, 0, &ends) == 0)
            let other = ends[0]
            Thread.detachNewThread { [self] in
                do throws(BusError) {
                    var watch = try LoginWatch(address: address, user: getuid())
                    isBegun.withLock { $0 = true }
                    while let moment = try watch.next(or: other) { moments.withLock { $0.append(moment) } }
                } catch {
                    failure.withLock { $0 = error }
                }
                isOver.withLock { $0 = true }
            }
            try eventually("the begin of the watch") {
                isBegun.withLock { $0 } || failure.withLock { $0 } != nil
            }
        }

        func end() throws {
            close(ends[1])
            try eventually("the end of the watch") { isOver.withLock { $0 } }
            close(ends[0])
        }

        func expect(_ expected: [LoginWatch.Moment]) throws {
            try eventually("\(expected), and not only \(moments.withLock { $0 })") {
                moments.withLock { $0 } == expected
            }
        }
    }

    @Test func `tells sleep, a locked screen and a log-out, and nothing else`() throws {
        let bus = try PrivateBus()
        let logind = try FakeLogind(on: bus, FakeLogind.Session())
        let watching = try Watching(at: bus.address)
        logind.announceSleep(true)
        try watching.expect([.sleep])
        logind.announceSleep(false)
        logind.setLocked(true)
        try watching.expect([.sleep, .screenLock])
        logind.setLocked(false)
        // Sessions of other people, and requests about them, are no reason.
        logind.requestLock(ofOther: true)
        logind.endSession(ofOther: true)
        logind.requestLock()
        try watching.expect([.sleep, .screenLock, .screenLock])
        logind.endSession()
        try withExtendedLifetime(logind) {
            try watching.expect([.sleep, .screenLock, .screenLock, .logout])
        }
        try watching.end()
        #expect(watching.failure.withLock { $0 } == nil)
    }

    @Test func `makes the machine wait before it sleeps, until the watch ends`() throws {
        let bus = try PrivateBus()
        let logind = try FakeLogind(on: bus, FakeLogind.Session())
        let watching = try Watching(at: bus.address)
        #expect(logind.inhibitions == [["sleep", "Baton", "locks protected content", "delay"]])
        try watching.end()
        #expect(logind.isInhibitorReleased())
    }

    @Test func `tells a log-out of somebody whose session began after the watch`() throws {
        let bus = try PrivateBus()
        let logind = try FakeLogind(on: bus, FakeLogind.Session())
        logind.change { $0.state = "closing" }
        let watching = try Watching(at: bus.address)
        logind.change { $0.state = "active" }
        // A signal makes the watch look at the session; the sleep after it shows that it has done so.
        logind.endSession(ofOther: true)
        logind.announceSleep(true)
        try watching.expect([.sleep])
        logind.endSession()
        try withExtendedLifetime(logind) { try watching.expect([.sleep, .logout]) }
        try watching.end()
    }

    @Test func `fails where no logind answers, and when the bus ends`() throws {
        var bus: PrivateBus? = try PrivateBus()
        let address = try #require(bus).address
        let lonely = try Watching(at: address)
        #expect(lonely.failure.withLock { $0 }?.isAbsence == true)
        var logind: FakeLogind? = try FakeLogind(on: #require(bus), FakeLogind.Session())
        let watching = try Watching(at: address)
        #expect(watching.failure.withLock { $0 } == nil)
        bus = nil
        try eventually("the failure") { watching.failure.withLock { $0 } != nil }
        #expect(watching.moments.withLock { $0 } == [])
        logind = nil
        _ = logind
    }
}
