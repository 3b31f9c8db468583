import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton lock`: locks protected content, or sets or removes the passphrase that unlocks it.
enum Lock {
    static var specification: CommandSpecification {
        CommandSpecification(
            "lock", "Lock protected content until the passphrase is typed again.",
            options: [
                .flag("set", "set a passphrase, or another one"),
                .flag("remove", "remove the passphrase"),
                .flag("recovery", "with --set or --remove: prove it with the recovery code"),
                .value("fd", "N", "read passphrases from descriptor N, one a line"),
            ],
            notes: [
                "Protected content is locked on this machine only. While it is locked, nobody",
                "who has the disk or the memory of this machine can read it; activities show",
                "as “something of APP (locked)”. Everything else goes on.",
                "The node starts again, so all accounts with a passphrase are locked.", "",
                "With --set, --fd gives the present passphrase first, if one is set, and then",
                "the new one. Nothing is stored anywhere but on this machine: the recovery",
                "code of the account is the only help against a forgotten passphrase.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let arguments = call.arguments
        let (sets, removes) = (arguments.has("set"), arguments.has("remove"))
        guard !sets || !removes else {
            throw LocalFailure(.usage, "--set and --remove can't be given together.")
        }
        guard sets || removes || !arguments.has("recovery"), sets || removes || !arguments.has("fd") else {
            throw LocalFailure(.usage, "--recovery and --fd work with --set or --remove only.")
        }
        guard sets || removes else { return try lock(call) }
        var node = try call.connect()
        if sets {
            try set(call, &node, isAnew: try node.ask(GetStatus()).isLocked != nil)
        } else {
            try remove(call, &node)
        }
    }

    /// The time that the node may take to check a passphrase, with the delays after wrong ones.
    static let patience = Duration.seconds(90)

    private static func set(
        _ call: Call, _ node: inout NodeConnection, isAnew: Bool
    ) throws(LocalFailure) {
        _ = try node.ask(DemandUnlocked())
        let question = try PassphraseQuestion(call)
        if isAnew {
            var next: [UInt8]?
            try question.prove(byRecoveryCode: call.arguments.has("recovery")) {
                (proof) throws(LocalFailure) in
                let passphrase: [UInt8]
                if let next { passphrase = next } else { passphrase = try question.new() }
                next = passphrase
                _ = try node.ask(SetLock(passphrase, proof: proof), within: patience)
            }
        } else {
            _ = try node.ask(SetLock(try question.new(), proof: nil), within: patience)
        }
        try tellState(
            call, isLocked: false, hasPassphrase: true,
            "The passphrase is set. `baton lock\(try call.options())` locks protected content.")
    }

    private static func remove(_ call: Call, _ node: inout NodeConnection) throws(LocalFailure) {
        _ = try node.ask(DemandUnlocked())
        try PassphraseQuestion(call).prove(byRecoveryCode: call.arguments.has("recovery")) {
            (proof) throws(LocalFailure) in
            _ = try node.ask(RemoveLock(proof), within: patience)
        }
        try tellState(
            call, isLocked: false, hasPassphrase: false,
            "The passphrase is removed. Everyone who has this disk can read protected content.")
    }

    private static func lock(_ call: Call) throws(LocalFailure) {
        try requestLocking(call)
        let (watch, progress) = (Stopwatch(), call.progress("Waiting for the node"))
        while true {
            if try isLocked(call) { break }
            guard watch.elapsed < deadline else {
                throw LocalFailure(
                    .failed,
                    "The node has ended, so nothing of it is unlocked, but no node is there again.\n"
                        + "Type `baton node\(try call.home().option)`, or see its log.")
            }
            progress.tell(watch.elapsed)
            LocalClock.pause(pause)
        }
        try tellState(call, isLocked: true, hasPassphrase: true, "Protected content is locked.")
    }

    /// Makes the call that locks the account; the connection ends with this function, because the node waits for that.
    private static func requestLocking(_ call: Call) throws(LocalFailure) {
        var node = try call.connect()
        _ = try node.ask(LockAccount())
    }

    /// Whether the node is there again and locked.
    private static func isLocked(_ call: Call) throws(LocalFailure) -> Bool {
        do throws(LocalFailure) {
            var node = try call.connect()
            return try node.ask(GetStatus()).isLocked == true
        } catch  where [.noNode, .failed, .unreachable].contains(error.code) {
            // The earlier process is ending, or the new one is still starting.
            return false
        }
    }

    private static let deadline = Duration.seconds(30)
    private static let pause = Duration.milliseconds(20)

    static func tellState(
        _ call: Call, isLocked: Bool, hasPassphrase: Bool, _ text: VisibleText
    ) throws(LocalFailure) {
        guard call.isJSON else { return call.console.print(text) }
        call.console.print(
            .object([.init("locked", .boolean(isLocked)), .init("passphrase", .boolean(hasPassphrase))]))
    }
}
