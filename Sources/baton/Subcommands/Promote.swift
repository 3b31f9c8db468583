import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton promote`: makes this machine an owner of its account.
enum Promote {
    static var specification: CommandSpecification {
        CommandSpecification(
            "promote", "Make this machine an owner of your account, with the recovery code.",
            notes: [
                "An owner admits machines, revokes them, and renews their certificates.",
                "Asks for the sixteen words of the recovery code; a script can pipe them in. On",
                "an owner's machine it renews the owner's certificate, with the same key.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let promotion = try promote(call)
        guard !call.isJSON else {
            return call.console.print(
                .object([
                    .init("account", .string(promotion.account.description)),
                    .init("device", JSON(promotion.device)), .init("ends", JSON(promotion.ends)),
                    .init("wasOwner", .boolean(promotion.wasOwner)),
                ]))
        }
        let (device, present) = (promotion.device, PresentTime.here)
        call.console.print(
            "“\(device.name)” (\(device.identifier.short)) is \(promotion.wasOwner ? "still " : "")an owner of account \(promotion.account.short), until \(present.text(promotion.ends))."
        )
        call.console.print("If another owner's machine was lost, type `baton revoke` with its name now.")
    }

    /// Asks the node to become an owner.
    ///
    /// If no node is running, this process runs the node's program for it.
    private static func promote(_ call: Call) throws(LocalFailure) -> Promotion {
        do throws(LocalFailure) {
            // If no node is running, this call fails, so that the person does not type the words in vain.
            var node = try call.connect()
            _ = try node.ask(GetStatus())
            return try RecoveryCodeQuestion.ask(call) { (text) throws(LocalFailure) in
                try node.ask(PromoteDevice(code: text))
            }
        } catch  where error.code == .noNode {
            var program = try NodeProgram.find().converse(["promote"] + call.homeArguments)
            return try RecoveryCodeQuestion.ask(call) { (text) throws(LocalFailure) in
                program.say(text)
                return try program.next(Promotion.self)
            }
        }
    }
}
