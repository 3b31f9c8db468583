import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal

/// `baton backup`: writes the account's state to a file.
enum Backup {
    static var specification: CommandSpecification {
        CommandSpecification(
            "backup", "Write all that this machine stores for you to one file, with its node running.",
            operands: [.required("FILE")],
            options: [.flag("force", "replace the file if it exists")],
            notes: [
                "The file contains all activities and all that apps have indexed. It is not",
                "encrypted, but only you may read it. It contains no keys or certificates, so",
                "nobody can join the account with it.",
                "`baton restore FILE` restores it on this machine.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        guard call.arguments[0] != "-" else {
            throw LocalFailure(
                .usage,
                "A backup is written to a file, not to the standard output.\nType `baton backup FILE`; a file with the name - is ./-."
            )
        }
        let path = try BackupPath.whole(call.arguments[0] ?? "")
        let backup = try ask(path, replaces: call.arguments.has("force"), call).made()
        guard BackupPath.size(of: path) == backup.bytes else {
            throw LocalFailure(
                .failed,
                "The node has written \(path), but this shell can't see it: the node sees other folders."
            )
        }
        guard !call.isJSON else { return call.console.print(JSON(backup)) }
        let option = try call.options()
        for line in BackupText.lines(ofMade: backup, option: option) { call.console.print(line) }
    }

    /// Asks the node to write the backup.
    ///
    /// If the node can't write to the folder but this process can, the node's program is run by this process instead.
    private static func ask(
        _ path: String, replaces: Bool, _ call: Call
    ) throws(LocalFailure) -> BackupReply {
        var node = try call.connect()
        do throws(LocalFailure) {
            return try node.write(
                WriteBackup(path: path, replaces: replaces),
                progress: BackupProgress("written", on: call.console).tell)
        } catch  where error.code == .storage && BackupPath.isFolderWritable(of: path) {
            // The sandbox of a service allows the node to write only to a few folders.
            let verb = replaces ? "backup-anew" : "backup"
            return try NodeProgram.find().reply(
                to: [verb, path] + call.homeArguments, waited: call.progress("Writing the backup").tell)
        }
    }
}
