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
        var node = try call.connect()
        let answer = try node.work(
            on: .backup(path: path, replaces: call.arguments.has("force")),
            progress: BackupProgress("written", on: call.console).tell)
        guard case .backup(let backup) = answer else { throw BackupText.mistaken }
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
}
