import AppIntents
import Glibc
import LoginSupport
import Synchronization
import Testing

/// Notes whether it was performed.
private struct Unlock: AppIntent {
    static let title: LocalizedStringResource = "Unlock Door"
    static let authenticationPolicy: IntentAuthenticationPolicy = .requiresAuthentication
    func perform() async throws -> some IntentResult & ReturnsValue<String> { .result(value: "open") }
}

/// The same with a proof of who the person is.
private struct Pay: AppIntent {
    static let title: LocalizedStringResource = "Pay"
    static let authenticationPolicy: IntentAuthenticationPolicy = .requiresLocalDeviceAuthentication
    func perform() async throws -> some IntentResult & ReturnsValue<String> { .result(value: "paid") }
}

@Suite struct `Authentication by the system` {
    private static func perform(
        _ intent: any AppIntent, _ bus: PrivateBus, user: uid_t = getuid(), effectiveUser: uid_t = geteuid()
    ) async throws -> _IntentValueContent? {
        let authenticator = SystemAuthenticator(
            address: bus.address, user: user, effectiveUser: effectiveUser)
        return try await IntentPerformer(authenticator: authenticator).perform(intent).value
    }

    @Test func `performs an intent in an unlocked session, and not in a locked one`() async throws {
        let bus = try PrivateBus()
        let logind = try FakeLogind(on: bus, FakeLogind.Session())
        #expect(try await Self.perform(Unlock(), bus) == .text("open"))
        logind.change { $0.isLocked = true }
        await #expect(throws: IntentAuthenticationError.locked(intent: "Unlock Door")) {
            _ = try await Self.perform(Unlock(), bus)
        }
        logind.change { ($0.isLocked, $0.state) = (false, "closing") }
        await #expect(throws: IntentAuthenticationError.locked(intent: "Unlock Door")) {
            _ = try await Self.perform(Unlock(), bus)
        }
    }

    @Test func `asks for the session that the person sees if the app runs in one of a service`() async throws
    {
        let bus = try PrivateBus()
        var session = FakeLogind.Session()
        session.kind = "background"
        let logind = try FakeLogind(on: bus, session)
        #expect(try await Self.perform(Unlock(), bus) == .text("open"))
        logind.change { $0.isShownLocked = true }
        await #expect(throws: IntentAuthenticationError.locked(intent: "Unlock Door")) {
            _ = try await Self.perform(Unlock(), bus)
        }
    }

    @Test func `refuses the session of another user, and the rights of another user`() async throws {
        let bus = try PrivateBus()
        var session = FakeLogind.Session()
        session.user = getuid() &+ 1
        let logind = try FakeLogind(on: bus, session)
        await #expect(throws: SystemAuthenticationError.otherUser) {
            _ = try await Self.perform(Unlock(), bus)
        }
        logind.change { $0.user = getuid() }
        await #expect(throws: SystemAuthenticationError.otherUser) {
            _ = try await Self.perform(Unlock(), bus, effectiveUser: geteuid() &+ 1)
        }
    }

    @Test func `refuses where nobody is logged in`() async throws {
        let bus = try PrivateBus()
        let logind = try FakeLogind(on: bus, nil)
        await #expect(throws: SystemAuthenticationError.noSession) {
            _ = try await Self.perform(Unlock(), bus)
        }
        withExtendedLifetime(logind) {}
    }

    @Test func `has polkit ask the person`() async throws {
        let bus = try PrivateBus()
        let polkit = try FakePolkit(on: bus, .proves)
        #expect(try await Self.perform(Pay(), bus) == .text("paid"))
        #expect(polkit.actions == ["org.baton.intents.perform"])
    }

    @Test(arguments: [
        (FakePolkit.Person.dismisses, SystemAuthenticationError.dismissed), (.isNotAsked, .noAgent),
        (.isUnknown, .notInstalled), (.isAllowedAll, .unasked),
    ])
    func `says why polkit did not ask`(
        _ person: FakePolkit.Person, _ error: SystemAuthenticationError
    ) async throws {
        let bus = try PrivateBus()
        let polkit = try FakePolkit(on: bus, person)
        await #expect(throws: error) { _ = try await Self.perform(Pay(), bus) }
        withExtendedLifetime(polkit) {}
    }

    @Test func `refuses if the person does not answer in time`() async throws {
        let bus = try PrivateBus()
        let polkit = try FakePolkit(on: bus, .isAway)
        let authenticator = SystemAuthenticator(address: bus.address, patience: .milliseconds(20))
        await #expect(throws: SystemAuthenticationError.unanswered) {
            _ = try await IntentPerformer(authenticator: authenticator).perform(Pay())
        }
        withExtendedLifetime(polkit) {}
    }

    @Test func `tells the title of the intent, which the question of polkit does not have`() async throws {
        let bus = try PrivateBus()
        let polkit = try FakePolkit(on: bus, .proves)
        let titles = Mutex<[String]>([])
        let authenticator = SystemAuthenticator(address: bus.address) { title in
            titles.withLock { $0.append(title) }
        }
        let performer = IntentPerformer(authenticator: authenticator)
        _ = try await performer.perform(Pay())
        #expect(titles.withLock { $0 } == ["Pay"])
        // No logind answers on this bus, so polkit asks in its place, once.
        for _ in 0..<2 { _ = try await performer.perform(Unlock()) }
        #expect(titles.withLock { $0 } == ["Pay", "Unlock Door"])
        withExtendedLifetime(polkit) {}
    }

    @Test func `refuses a person who does not prove who they are`() async throws {
        let bus = try PrivateBus()
        let polkit = try FakePolkit(on: bus, .fails)
        await #expect(throws: IntentAuthenticationError.refused(intent: "Pay")) {
            _ = try await Self.perform(Pay(), bus)
        }
        withExtendedLifetime(polkit) {}
    }

    @Test func `asks polkit where logind does not answer, and refuses where neither does`() async throws {
        let bus = try PrivateBus()
        for intent in [Unlock(), Pay()] as [any AppIntent] {
            await #expect(throws: SystemAuthenticationError.unavailable) {
                _ = try await Self.perform(intent, bus)
            }
        }
        let polkit = try FakePolkit(on: bus, .proves)
        #expect(try await Self.perform(Unlock(), bus) == .text("open"))
        #expect(polkit.actions.count == 1)
    }
}
