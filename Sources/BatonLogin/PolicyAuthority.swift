/// Asks polkit whether the person proves who they are; polkit shows the question on the person's screen or terminal.
package enum PolicyAuthority {
    /// The answer of polkit.
    package enum Answer: Hashable, Sendable {
        /// The person has proved who they are.
        case authorized
        /// The password was wrong, or the action is forbidden on this machine.
        case refused
        /// The person closed the question.
        case dismissed
        /// No program of the session can show the question.
        case noAgent
    }

    /// The time in which a person has to answer.
    private static let patience = Duration.seconds(300)
    /// Lets polkit ask the person.
    private static let allowInteraction: UInt32 = 1

    private static let service = "org.freedesktop.PolicyKit1"

    /// Asks for an action on behalf of the program at the other end of this connection, which is this process.
    ///
    /// The subject is the connection and not a process number, which another process could get meanwhile.
    package static func ask(for action: String, on bus: SystemBus) throws(BusError) -> Answer {
        let subject = BusValue.structure([
            .text("system-bus-name"), .details([("name", .text(try bus.uniqueName()))]),
        ])
        let answer = try bus.value(
            BusCall(
                "CheckAuthorization", of: "org.freedesktop.PolicyKit1.Authority",
                at: "/org/freedesktop/PolicyKit1/Authority", service: service,
                // Details are for programs of the administrator only: polkit refuses a call of others that has some.
                arguments: [
                    subject, .text(action), .list([], of: "{ss}"), .unsigned32(allowInteraction), .text(""),
                ], timeout: patience))
        guard let parts = answer.parts, parts.count == 3, let isAuthorized = parts[0].flag,
            let isChallenge = parts[1].flag
        else { throw .unexpected(operation: "ask polkit") }
        if isAuthorized { return .authorized }
        if parts[2]["polkit.dismissed"] != nil { return .dismissed }
        // A challenge that was not put to the person, although polkit was allowed to, found no agent.
        return isChallenge ? .noAgent : .refused
    }
}
