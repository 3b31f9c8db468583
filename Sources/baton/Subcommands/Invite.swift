import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton invite`: shows a code by which another machine can join, and waits until it has joined.
enum Invite {
    static var specification: CommandSpecification {
        CommandSpecification(
            "invite", "Show a code to add another machine, and wait until it has joined.",
            options: [
                .flag("confirm", "ask before it is admitted, with words to compare on both screens"),
                .flag("no-wait", "exit once the code is shown; the invitation stays open"),
                .flag("cancel", "end the open invitation"),
            ],
            notes: [
                "A node has one open invitation at a time, whichever of your accounts it is for.",
                "Both machines show three words. If they differ, another machine is in between:",
                "answer no, or type `baton revoke`. With --confirm the invitation ends with this",
                "command.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        if call.arguments.has("cancel") { return try cancel(call) }
        let asksPerson = call.arguments.has("confirm")
        if asksPerson { try demandPerson(call) }
        var node = try call.connect(waitingFor: "Waiting for the other machine")
        let opened = try node.ask(OpenInvitation(asksPerson: asksPerson))
        let status = try node.ask(GetStatus())
        var invitation = InvitationText(
            code: opened.code, expires: opened.expires, addresses: opened.addresses,
            listening: status.listening, host: HostName.whole)
        // If only this machine can connect to the node, the invitation is not announced.
        let isAlone = !opened.addresses.isEmpty && opened.addresses.allSatisfy(\.isOfThisMachine)
        invitation.isAnnounced = status.discovery == nil && !isAlone
        let present = PresentTime.here
        if call.isJSON {
            call.console.print(invitation.json)
        } else {
            for line in invitation.lines(at: present) { call.console.print(line) }
        }
        try call.console.flush()
        guard !call.arguments.has("no-wait") else { return }
        let device = try node.awaitInvitation(
            opened.code, within: opened.expires.since(present.now) + NodeConnection.patience
        ) { (notice) throws(LocalFailure) in
            try tell(of: notice.name, notice.phrase, notice.asksPerson, call)
        }
        if call.isJSON {
            call.console.print(.object([.init("joined", JSON(device))]))
        } else {
            call.console.print("“\(device.name)” (\(device.identifier.short)) has joined.")
            guard !asksPerson else { return }
            let options = try call.options()
            call.console.print(
                "If its screen showed other words, revoke it: baton revoke \(device.identifier.short)\(options)"
            )
        }
    }

    /// Ends the open invitation.
    private static func cancel(_ call: Call) throws(LocalFailure) {
        guard !call.arguments.has("confirm"), !call.arguments.has("no-wait") else {
            throw LocalFailure(.usage, "--cancel can't be combined with --confirm or --no-wait.")
        }
        var node = try call.connect()
        _ = try node.ask(CancelInvitation())
        if call.isJSON {
            call.console.print(.object([.init("cancelled", .boolean(true))]))
        } else {
            call.console.print("The invitation is closed; its code is no longer valid.")
        }
    }

    /// Throws if there is no person at a terminal who could be asked.
    private static func demandPerson(_ call: Call) throws(LocalFailure) {
        guard !call.arguments.has("no-wait"), !call.isJSON, Question.canBeAsked else {
            throw LocalFailure(
                .usage,
                "--confirm asks you at a terminal, so it can't be combined with --no-wait or --json."
            )
        }
    }

    /// Prints the name of the machine that is joining, and asks the person whether it may join.
    ///
    /// The person is only asked if `isAsked` is true. Returns whether the machine may join.
    private static func tell(
        of name: String, _ phrase: String, _ isAsked: Bool, _ call: Call
    ) throws(LocalFailure) -> Bool {
        guard !call.isJSON else {
            call.console.print(
                .object([
                    .init(
                        "joining", .object([.init("name", .string(name)), .init("compare", .string(phrase))]))
                ]))
            try call.console.flush()
            return true
        }
        call.console.print("“\(name)” is joining. Compare with its screen: \(phrase)")
        guard isAsked else {
            try call.console.flush()
            return true
        }
        call.console.print("If it shows other words, it is not your machine.")
        return try Question.isAgreed(to: "Let it in?", on: call.console)
    }
}

extension String {
    /// Whether only this machine can connect to the address, which has the form `HOST:PORT`.
    fileprivate var isOfThisMachine: Bool { hasPrefix("127.") || hasPrefix("[::1]") }
}
