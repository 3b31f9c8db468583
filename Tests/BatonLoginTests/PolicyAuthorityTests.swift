import BatonLogin
import LoginSupport
import Testing

@Suite(.enabled(if: PrivateBus.isThere, Comment(rawValue: PrivateBus.advice)))
struct `Proving who one is` {
    private static let action = "org.baton.intents.perform"

    @Test(arguments: [
        (FakePolkit.Person.proves, PolicyAuthority.Answer.authorized), (.fails, .refused),
        (.dismisses, .dismissed), (.isNotAsked, .noAgent), (.isAllowedAll, .unasked),
    ])
    func `has the answer of polkit`(_ person: FakePolkit.Person, _ answer: PolicyAuthority.Answer) throws {
        let bus = try PrivateBus()
        let polkit = try FakePolkit(on: bus, person)
        let connection = try SystemBus(address: bus.address)
        #expect(
            try PolicyAuthority.ask(for: Self.action, on: connection, within: .seconds(30)) == answer)
        #expect(polkit.actions == [Self.action])
        #expect(polkit.subjects == ["system-bus-name"])
    }

    @Test func `fails with polkit's words if the action is not installed`() throws {
        let bus = try PrivateBus()
        let polkit = try FakePolkit(on: bus, .isUnknown)
        try withExtendedLifetime(polkit) {
            let connection = try SystemBus(address: bus.address)
            #expect(
                throws: BusError.refused(
                    name: "org.freedesktop.PolicyKit1.Error.Failed",
                    message: "Action \(Self.action) is not registered")
            ) { try PolicyAuthority.ask(for: Self.action, on: connection, within: .seconds(30)) }
        }
    }
}
