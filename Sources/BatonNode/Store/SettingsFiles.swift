package import BatonCore
import BatonNetwork
import BatonStore
import Glibc

/// The two files in which an account keeps its settings, beside its databases.
///
/// They exist from before the account's identity on, so settings that are missing have been lost. A file is replaced as a
/// whole, and the second one only once the first is on the disk: at any moment one of them can be read.
package struct SettingsFiles: Sendable {
    private let folder: String
    /// Called before each step of writing a file.
    private let beforeStep: @Sendable (Step) throws(StoreFailure) -> Void

    /// A step of writing a file; a process may be killed before each one.
    package enum Step: CaseIterable, Sendable {
        case create, write, sync, rename, syncFolder
    }

    package init(
        folder: String, beforeStep: @escaping @Sendable (Step) throws(StoreFailure) -> Void = { _ in }
    ) {
        (self.folder, self.beforeStep) = (folder, beforeStep)
    }

    /// The paths of the files, in the order in which they are written.
    package var paths: [String] { ["\(folder)/settings", "\(folder)/settings.copy"] }

    // MARK: Reading

    /// Reads both files; nil stands for one that is missing or damaged.
    package func read() -> [SettingsCopy?] { paths.map(Self.read) }

    private static func read(_ path: String) -> SettingsCopy? {
        do throws(NetworkError) {
            let file = try FileDescriptor.open(path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            var bytes: [UInt8] = []
            let most = 64 << 10
            var portion = [UInt8](repeating: 0, count: most)
            while bytes.count <= SettingsCopy.bytesMost {
                let count = Glibc.read(file.number, &portion, most)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { return nil }
                if count == 0 { return SettingsCopy(bytes: bytes) }
                bytes += portion.prefix(count)
            }
            return nil
        } catch {
            return nil
        }
    }

    // MARK: Writing

    /// Makes the files of a new account, unless the folder has settings or databases of an earlier attempt.
    ///
    /// An earlier attempt to make or join an account may have left any of them; its settings still count.
    func create() throws(StoreFailure) {
        let databases = Lane.allCases.map { "\(folder)/\($0).sqlite" }
        guard (paths + databases).allSatisfy({ access($0, F_OK) != 0 }) else { return }
        try write(.first)
    }

    /// Removes the files of another account.
    func remove() throws(StoreFailure) {
        for path in paths where unlink(path) != 0 && errno != ENOENT {
            throw StoreFolder.failure("\(path) can't be removed")
        }
    }

    /// Writes both files, and returns once both would survive a power loss.
    package func write(_ copy: SettingsCopy) throws(StoreFailure) {
        for path in paths { try write(copy.bytes, to: path) }
    }

    private func write(_ bytes: [UInt8], to path: String) throws(StoreFailure) {
        let part = "\(path).new"
        try beforeStep(.create)
        let file = try Self.open(part, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
        try beforeStep(.write)
        var rest = bytes[...]
        while !rest.isEmpty {
            let number = file.number
            let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw StoreFolder.failure("\(part) can't be written") }
            rest = rest.dropFirst(count)
        }
        try beforeStep(.sync)
        guard fsync(file.number) == 0 else { throw StoreFolder.failure("\(part) can't be synced") }
        try beforeStep(.rename)
        guard rename(part, path) == 0 else { throw StoreFolder.failure("\(part) can't be renamed") }
        try beforeStep(.syncFolder)
        let names = try Self.open(folder, O_RDONLY | O_DIRECTORY)
        guard fsync(names.number) == 0 else { throw StoreFolder.failure("\(folder) can't be synced") }
    }

    private static func open(_ path: String, _ flags: Int32) throws(StoreFailure) -> FileDescriptor {
        do throws(NetworkError) {
            return try FileDescriptor.open(path, flags: flags, mode: 0o600)
        } catch {
            errno = error.number
            throw StoreFolder.failure("\(path) can't be opened")
        }
    }
}

/// The settings that apply when a store is opened.
package struct OpenedSettings: Sendable {
    package let copy: SettingsCopy
    /// Whether the database had its note of the settings: the database is neither new nor rescued without it.
    let wasNoted: Bool
    /// Why a copy that was missing or older could not be written; nil if all are the same.
    let failure: StoreFailure?

    /// Reads all copies, joins them, and writes those that differ from the result.
    package init(
        of files: SettingsFiles, _ store: any AccountStore, _ witness: Witness
    ) throws(StoreFailure) {
        let (found, lane) = (files.read(), store.lane(.activities))
        let note = SettingsCopy(try lane.notes(in: .setting))
        let copy = SettingsCopy.joined(files: found, note: note, witnessed: witness.settingsNumber)
        (self.copy, wasNoted) = (copy, note != nil)
        do throws(StoreFailure) {
            if found.contains(where: { $0 != copy }) { try files.write(copy) }
            witness.noteSettings(copy.number)
            if note != copy { _ = try lane.commit(.settings(copy)) }
            failure = nil
        } catch {
            // A damaged database is rescued, and then its note is written again.
            guard error.code != .damaged else { throw error }
            failure = error
        }
    }
}

extension StoreTransaction {
    /// The transaction that keeps the note of the settings.
    static func settings(_ copy: SettingsCopy) -> StoreTransaction {
        var transaction = StoreTransaction(lane: .activities, writes: [], completing: VersionVector())
        transaction.notes = [copy.note]
        return transaction
    }
}
