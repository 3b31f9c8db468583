import BatonLogin
import Glibc
import LoginSupport
import Testing

@Suite(.enabled(if: PrivateBus.isThere, Comment(rawValue: PrivateBus.advice)))
struct `The session of a person` {
    @Test func `is read from logind, locked or not`() throws {
        let bus = try PrivateBus()
        let logind = try FakeLogind(on: bus, FakeLogind.Session())
        let connection = try SystemBus(address: bus.address)
        let session = try #require(try LoginSession.find(on: connection, user: getuid()))
        #expect(session.user == getuid() && !session.isLocked && !session.isClosing)
        logind.change { $0.isLocked = true }
        #expect(try LoginSession.find(on: connection, user: getuid())?.isLocked == true)
        logind.change { $0.state = "closing" }
        #expect(try LoginSession.find(on: connection, user: getuid())?.isClosing == true)
    }

    @Test func `is the one that the user sees if the process is in none`() throws {
        let bus = try PrivateBus()
        var session = FakeLogind.Session()
        (session.holdsCaller, session.isLocked) = (false, true)
        let logind = try FakeLogind(on: bus, session)
        try withExtendedLifetime(logind) {
            let found = try LoginSession.find(on: SystemBus(address: bus.address), user: getuid())
            #expect(found?.isLocked == true)
        }
    }

    @Test func `is nil if nobody is logged in`() throws {
        let bus = try PrivateBus()
        let logind = try FakeLogind(on: bus, nil)
        try withExtendedLifetime(logind) {
            let connection = try SystemBus(address: bus.address)
            #expect(try LoginSession.find(on: connection, user: getuid()) == nil)
        }
    }

    @Test func `is unknown on a bus without logind, and without a bus`() throws {
        let bus = try PrivateBus()
        let connection = try SystemBus(address: bus.address)
        do throws(BusError) {
            _ = try LoginSession.find(on: connection, user: getuid())
            Issue.record("logind has answered")
        } catch {
            #expect(error.isAbsence)
        }
        do throws(BusError) {
            _ = try SystemBus(address: "unix:path=/nonexistent/bus")
            Issue.record("the bus has answered")
        } catch {
            #expect(error.isAbsence)
        }
    }
}
