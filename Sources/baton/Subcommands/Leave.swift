import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton leave`: removes this machine from its account.
enum Leave {
    static var specification: CommandSpecification {
        CommandSpecification(
            "leave", "Leave your account with this machine, and delete the account's data here.",
            options: [.flag("yes", "don't ask first")],
            notes: [
                "A running node tells your other machines first, and then ends unless it serves",
                "another account. Your other machines keep their data, and backups stay. Leaving",
                "the last account also deletes the list of your shells' repositories.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let departure = try ask(isConfirmed: false, call)
        if !call.arguments.has("yes") {
            guard Question.canBeAsked, !call.isJSON else {
                throw LocalFailure(
                    .usage, "This can't be undone, and there is no terminal to ask at. Add --yes to do it.")
            }
            for line in DepartureText(departure).linesToConfirm { call.console.print(line) }
            guard try Question.isAgreed(to: "Leave the account?", on: call.console) else {
                throw LocalFailure(.failed, "Nothing has changed.")
            }
        }
        let left = try ask(isConfirmed: true, call)
        // The list of visited repositories is deleted with the last account. If there is a new account later, shells
        // fill the list again.
        if !(try call.home().holdsAccount) { _ = KnownClones(environment: call.environment)?.remove() }
        guard !call.isJSON else {
            return call.console.print(
                .object([
                    .init("left", .string(left.account.description)), .init("device", JSON(left.device)),
                    .init("told", .array(left.told.map { .string($0) })),
                    .init("remains", JSON(left.remains)),
                ]))
        }
        for line in DepartureText(left).linesWhenLeft { call.console.print(line) }
    }

    /// Asks the node to leave the account.
    ///
    /// If no node is running, this process runs the node's program for it.
    private static func ask(isConfirmed: Bool, _ call: Call) throws(LocalFailure) -> Departure {
        do throws(LocalFailure) {
            var node = try call.connect()
            return try node.ask(
                LeaveAccount(isConfirmed: isConfirmed), within: NodeConnection.patienceWithDisks)
        } catch  where error.code == .noNode {
            let verb = isConfirmed ? "leave" : "examine-leaving"
            return try NodeProgram.find().reply(to: [verb] + call.homeArguments)
        }
    }
}
