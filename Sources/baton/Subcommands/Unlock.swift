import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton unlock`: makes protected content readable on this machine.
enum Unlock {
    static var specification: CommandSpecification {
        CommandSpecification(
            "unlock", "Unlock protected content with the passphrase.",
            options: [
                .flag("recovery", "use the recovery code of the account instead"),
                .value("fd", "N", "read the passphrase from descriptor N"),
            ],
            notes: [
                "It stays readable until `baton lock`, or until the node ends.",
                "A wrong passphrase is answered late, and later each time.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        var node = try call.connect()
        let state = try node.ask(GetStatus()).isLocked
        guard state == true else {
            return try Lock.tellState(
                call, isLocked: false, hasPassphrase: state != nil,
                state == nil ? "No passphrase is set, so nothing is locked." : "Nothing is locked.")
        }
        try PassphraseQuestion(call).prove(byRecoveryCode: call.arguments.has("recovery")) {
            (proof) throws(LocalFailure) in
            _ = try node.ask(UnlockAccount(proof), within: Lock.patience)
        }
        try Lock.tellState(
            call, isLocked: false, hasPassphrase: true, "Protected content is unlocked.")
    }
}
