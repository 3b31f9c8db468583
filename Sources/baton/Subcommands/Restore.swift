import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton restore`: replaces the present data with a backup.
enum Restore {
    static var specification: CommandSpecification {
        CommandSpecification(
            "restore", "Restore a file that `baton backup` wrote, in place of the present data.",
            operands: [.required("FILE")],
            options: [.flag("yes", "don't ask first")],
            notes: [
                "Works with a running node and without one. The present data is moved: it stays",
                "for 90 days, or until you type `baton doctor --clean` or restore three more",
                "backups. Changes since the backup come back from your other machines, if they",
                "have them. The backup must be of this machine; keys and certificates stay as",
                "they are.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let path = try BackupPath.whole(call.arguments[0] ?? "")
        if !call.arguments.has("yes") {
            // If the file can't be restored, this fails before the person is asked.
            let backup = try ask(path, isConfirmed: false, call).made()
            guard Question.canBeAsked else {
                throw LocalFailure(
                    .usage,
                    "This replaces the present data, and there is no terminal to ask at. Add --yes to do it.")
            }
            for line in BackupText.lines(toConfirm: backup, at: .here) { call.console.print(line) }
            let question: VisibleText = "Replace the present data with it?"
            guard try Question.isAgreed(to: question, on: call.console) else {
                throw LocalFailure(.failed, "Nothing has changed.")
            }
        }
        let (backup, previousFiles) = try ask(path, isConfirmed: true, call).restored()
        guard !call.isJSON else {
            return call.console.print(
                .object([
                    .init("restored", JSON(backup)),
                    .init("moved", .array(previousFiles.map { .string($0) })),
                ]))
        }
        let lines = BackupText.lines(
            ofRestored: backup, previousFiles: previousFiles, option: try call.options(), at: .here)
        for line in lines { call.console.print(line) }
    }

    /// Asks the node to restore the backup.
    ///
    /// If no node is running, this process runs the node's program for it.
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
