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
        /// The person did not answer in time.
        case unanswered
        /// No program of the session can show the question.
        case noAgent
        /// polkit allows the action without a question, as it does for root or by a rule of the administrator.
        case unasked
    }

    /// The time in which polkit says whether it would ask.
    private static let patience = Duration.seconds(25)
    /// Has polkit say only whether it would ask.
    private static let withoutInteraction: UInt32 = 0
    /// Lets polkit ask the person.
    private static let allowInteraction: UInt32 = 1

    private static let service = "org.freedesktop.PolicyKit1"

    /// Has polkit ask the person for an action of this process; the person has to answer within a time.
    ///
    /// polkit allows everything to root without a question, and a rule of the administrator can allow an action to others.
    /// Nobody proves anything then. So the first call only finds out whether polkit would ask.
    package static func ask(
        for action: String, on bus: SystemBus, within time: Duration
    ) throws(BusError) -> Answer {
        let first = try check(action, withoutInteraction, on: bus, within: patience)
        if first.isAuthorized { return .unasked }
        guard first.isChallenge else { return .refused }
        let second: Result
        do throws(BusError) {
            second = try check(action, allowInteraction, on: bus, within: time)
        } catch {
            guard error.isTimeout else { throw error }
            return .unanswered
        }
        if second.isAuthorized { return .authorized }
        if second.isDismissed { return .dismissed }
        // polkit was allowed to put the challenge to the person. If the challenge is left, there is no agent.
        return second.isChallenge ? .noAgent : .refused
    }

    /// The result of a call.
    private struct Result {
        let isAuthorized: Bool
        /// Whether a question is needed that was not put to the person.
        let isChallenge: Bool
        /// Whether the person closed the question.
        let isDismissed: Bool
    }

    /// Calls polkit for the program at the other end of this connection, which is this process.
    ///
    /// The subject is the connection and not a process number, which another process could get meanwhile.
    private static func check(
        _ action: String, _ flags: UInt32, on bus: SystemBus, within time: Duration
    ) throws(BusError) -> Result {
        let subject = BusValue.structure([
            .text("system-bus-name"), .details([("name", .text(try bus.uniqueName()))]),
        ])
        let answer = try bus.value(
            BusCall(
                "CheckAuthorization", of: "org.freedesktop.PolicyKit1.Authority",
                at: "/org/freedesktop/PolicyKit1/Authority", service: service,
                // Details are for programs of the administrator only: polkit refuses a call of others that has some.
                arguments: [subject, .text(action), .list([], of: "{ss}"), .unsigned32(flags), .text("")],
                timeout: time))
        guard let parts = answer.parts, parts.count == 3, let isAuthorized = parts[0].flag,
            let isChallenge = parts[1].flag
        else { throw .unexpected(operation: "ask polkit") }
        return Result(
            isAuthorized: isAuthorized, isChallenge: isChallenge,
            isDismissed: parts[2]["polkit.dismissed"] != nil)
    }
}
