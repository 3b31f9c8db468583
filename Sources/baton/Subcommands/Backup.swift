import BatonClient
import BatonCore

/// `baton backup`: writes the account's state to a file.
enum Backup {
    static var specification: CommandSpecification {
        CommandSpecification(
            "backup", "Write what this machine keeps for you to one file, while its node runs.",
            operands: [.required("FILE")],
            options: [.flag("force", "replace the file if it is there already")],
            notes: [
                "In the file are all activities and all that apps have indexed. It is not",
                "encrypted; only you may read it. Not in it are keys and certificates: nobody",
                "gets into the account with it.",
                "`baton restore FILE` puts it back on this machine.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        let path = try BackupPath.whole(call.arguments[0] ?? "")
        let backup = try ask(path, replaces: call.arguments.has("force"), call).made()
        guard BackupPath.size(of: path) == backup.bytes else {
            throw LocalFailure(
                .failed,
                "The node has written \(path), but it is not there: the node sees other folders than this shell."
            )
        }
        guard !call.isJSON else { return call.console.print(JSON(backup)) }
        let option = try call.options()
        for line in BackupText.lines(ofMade: backup, option: option) { call.console.print(line) }
    }

    /// Asks the node; where it can't write and this shell can, the program that has no such limits.
    private static func ask(
        _ path: String, replaces: Bool, _ call: Call
    ) throws(LocalFailure) -> BackupReply {
        var node = try call.connect()
        do throws(LocalFailure) {
            return try node.write(
                WriteBackup(path: path, replaces: replaces),
                progress: BackupProgress("written", on: call.console).tell)
        } catch  where error.code == .storage && BackupPath.isFolderWritable(of: path) {
            // A hardened service has a view of its own, in which nearly nothing can be written.
            let verb = replaces ? "backup-anew" : "backup"
            return try NodeProgram.find().reply(
                to: [verb, path] + call.homeArguments, waited: call.progress("Writing the backup").tell)
        }
    }
}
