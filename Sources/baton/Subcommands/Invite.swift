import BatonClient
import BatonCore

/// `baton invite`: shows a code with which another machine joins, and waits until it did.
enum Invite {
    static var specification: CommandSpecification {
        CommandSpecification(
            "invite", "Show a code with which another machine joins, and wait until it did.",
            options: [.flag("no-wait", "leave once the code is shown; it stays open")])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        var node = try call.connect()
        let (code, expires) = try node.invite()
        let invitation = InvitationText(
            code: code, expires: expires, listening: try node.status().listening, host: HostName.whole)
        let present = PresentTime.here
        if call.isJSON {
            call.console.print(invitation.json)
        } else {
            for line in invitation.lines(at: present) { call.console.print(line) }
        }
        try call.console.flush()
        guard !call.arguments.has("no-wait") else { return }
        let device = try node.awaitInvitation(within: expires.since(present.now) + NodeConnection.patience)
        if call.isJSON {
            call.console.print(.object([.init("joined", JSON(device))]))
        } else {
            call.console.print("“\(device.name)” (\(device.identifier.short)) has joined.")
        }
    }
}
