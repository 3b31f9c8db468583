/// Writes a backup of the account's state to a file.
package struct WriteBackup: AccountCall {
    package typealias Reply = BackupReply
    package static let number = LocalCallNumber.writeBackup

    /// The absolute path of the file.
    package var path: String
    /// Whether a file that is there may be replaced.
    package var replaces: Bool

    package init(path: String, replaces: Bool) { (self.path, self.replaces) = (path, replaces) }

    package func encode(to writer: inout CBORWriter) { writer.text(path, flag: replaces) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        (path, replaces) = try reader.textAndFlag()
    }
}

/// Puts a backup in the place of the present state.
package struct RestoreBackup: AccountCall {
    package typealias Reply = BackupReply
    package static let number = LocalCallNumber.restoreBackup

    /// The absolute path of the file.
    package var path: String
    /// Whether the backup is put back; otherwise the node only looks at it.
    package var isConfirmed: Bool

    package init(path: String, isConfirmed: Bool) { (self.path, self.isConfirmed) = (path, isConfirmed) }

    package func encode(to writer: inout CBORWriter) { writer.text(path, flag: isConfirmed) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        (path, isConfirmed) = try reader.textAndFlag()
    }
}

/// Is answered once the backup or the restoration that is under way has ended, or some time has passed.
package struct AwaitBackup: AccountCall, BareCall {
    package typealias Reply = BackupReply
    package static let number = LocalCallNumber.awaitBackup

    package init() {}
}

/// How far a backup or a restoration has come.
package enum BackupReply: LocalReply {
    /// It goes on: how many bytes are done, and of how many if that is known.
    case working(bytes: Int, all: Int?)
    /// A backup that was written, or looked at.
    case backup(BackupDescription)
    /// The backup took the place of the state that is set aside in those files.
    case restored(BackupDescription, aside: [String])

    private enum Kind {
        static let working: UInt64 = 21
        static let backup: UInt64 = 22
        static let restored: UInt64 = 23
    }

    package func encodeReply(to writer: inout CBORWriter) {
        switch self {
        case .working(let bytes, let all):
            writer.unsigned(Kind.working)
            writer.array(count: 2)
            writer.integer(Int64(bytes))
            if let all { writer.integer(Int64(all)) } else { writer.null() }
        case .backup(let description):
            writer.unsigned(Kind.backup)
            description.encode(to: &writer)
        case .restored(let description, let aside):
            writer.unsigned(Kind.restored)
            writer.array(count: 2)
            description.encode(to: &writer)
            writer.texts(aside)
        }
    }

    package init?(_ kind: UInt64, from reader: inout CBORReader) throws(CBORError) {
        switch kind {
        case Kind.working:
            try reader.array(count: 2)
            self = .working(
                bytes: Int(try reader.integer()),
                all: try reader.optional { (reader) throws(CBORError) in Int(try reader.integer()) })
        case Kind.backup: self = .backup(try BackupDescription(from: &reader))
        case Kind.restored:
            try reader.array(count: 2)
            self = .restored(try BackupDescription(from: &reader), aside: try reader.texts())
        default: return nil
        }
    }
}
