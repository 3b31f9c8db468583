import BatonClient
import BatonCore

/// `baton restore`: puts a backup in the place of the present state.
enum Restore {
    static var specification: CommandSpecification {
        CommandSpecification(
            "restore", "Put back what `baton backup` wrote, in place of what is here now.",
            operands: [.required("FILE")],
            options: [.flag("yes", "do it without asking")],
            notes: [
                "Works while the node runs, and when it does not. What is here now is set aside,",
                "and never deleted. What came after the backup comes back from those of your",
                "machines that have it. The backup must be of this machine; keys and certificates",
                "stay as they are.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let path = try BackupPath.whole(call.arguments[0] ?? "")
        if !call.arguments.has("yes") {
            guard Question.canBeAsked else {
                throw LocalFailure(
                    .usage, "This replaces what is here now, and there is no terminal to ask at. Say --yes.")
            }
            let backup = try ask(path, isConfirmed: false, call).made()
            for line in BackupText.lines(toConfirm: backup, at: .here) { call.console.print(line) }
            let question: VisibleText = "Put it in place of what is here now?"
            guard try Question.isAgreed(to: question, on: call.console) else {
                throw LocalFailure(.failed, "Nothing has changed.")
            }
        }
        let (backup, aside) = try ask(path, isConfirmed: true, call).restored()
        guard !call.isJSON else {
            return call.console.print(
                .object([
                    .init("restored", JSON(backup)), .init("setAside", .array(aside.map { .string($0) })),
                ]))
        }
        for line in BackupText.lines(ofRestored: backup, aside: aside, at: .here) { call.console.print(line) }
    }

    /// Asks the node, or where none runs the program that can be one.
    private static func ask(
        _ path: String, isConfirmed: Bool, _ call: Call
    ) throws(LocalFailure) -> BackupReply {
        do throws(LocalFailure) {
            var node = try call.connect()
            return try node.restore(
                RestoreBackup(path: path, isConfirmed: isConfirmed),
                progress: BackupProgress("read", on: call.console).tell)
        } catch  where error.code == .noNode {
            let verb = isConfirmed ? "restore" : "examine"
            return try NodeProgram.find().reply(
                to: [verb, path] + call.homeArguments, waited: call.progress("Reading the backup").tell)
        }
    }
}
