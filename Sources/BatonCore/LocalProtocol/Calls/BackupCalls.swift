/// Writes a backup of the account's state to a file.
package struct WriteBackup: AccountCall {
    package typealias Reply = BackupReply
    package static let number = LocalCallNumber.writeBackup

    /// The absolute path of the backup file.
    package var path: String
    /// Whether the backup may replace an existing file.
    package var replaces: Bool

    package init(path: String, replaces: Bool) { (self.path, self.replaces) = (path, replaces) }

    package func encode(to writer: inout CBORWriter) { writer.pair(path, replaces) }

    package init(from reader: inout CBORReader) throws(CBORError) { (path, replaces) = try reader.pair() }
}

/// Replaces the present state of the account by the state in a backup.
package struct RestoreBackup: AccountCall {
    package typealias Reply = BackupReply
    package static let number = LocalCallNumber.restoreBackup

    /// The absolute path of the backup file.
    package var path: String
    /// Whether to restore the backup; otherwise the node only reads it and describes it.
    package var isConfirmed: Bool

    package init(path: String, isConfirmed: Bool) { (self.path, self.isConfirmed) = (path, isConfirmed) }

    package func encode(to writer: inout CBORWriter) { writer.pair(path, isConfirmed) }

    package init(from reader: inout CBORReader) throws(CBORError) { (path, isConfirmed) = try reader.pair() }
}

/// Waits until the running backup or restoration has ended or reports its progress.
package struct AwaitBackup: AccountCall, BareCall {
    package typealias Reply = BackupReply
    package static let number = LocalCallNumber.awaitBackup

    package init() {}
}

/// The progress or the result of a backup or a restoration.
package enum BackupReply: LocalReply {
    /// The work continues; `bytes` are done, and `all` is the total number of bytes if it is known.
    case working(bytes: Int, all: Int?)
    /// The backup that was written or read.
    case backup(BackupDescription)
    /// The backup was restored, and the previous state was moved to the files `replaced`.
    case restored(BackupDescription, replaced: [String])

    package func encodeReply(to writer: inout CBORWriter) {
        switch self {
        case .working(let bytes, let all):
            writer.unsigned(LocalReplyKind.backupProgress.rawValue)
            writer.pair(Int64(bytes), all.map { Int64($0) })
        case .backup(let description):
            writer.unsigned(LocalReplyKind.backup.rawValue)
            description.encode(to: &writer)
        case .restored(let description, let replaced):
            writer.unsigned(LocalReplyKind.restoration.rawValue)
            writer.pair(description, replaced)
        }
    }

    package init?(_ kind: LocalReplyKind, from reader: inout CBORReader) throws(CBORError) {
        switch kind {
        case .backupProgress:
            let (bytes, all): (Int64, Int64?) = try reader.pair()
            self = .working(bytes: Int(bytes), all: all.map { Int($0) })
        case .backup: self = .backup(try BackupDescription(from: &reader))
        case .restoration:
            let (description, replaced): (BackupDescription, [String]) = try reader.pair()
            self = .restored(description, replaced: replaced)
        default: return nil
        }
    }
}
