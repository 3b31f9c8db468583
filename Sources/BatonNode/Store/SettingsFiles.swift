package import BatonCore
import BatonStore
import Glibc

/// The two files in which an account keeps its settings, beside its databases.
///
/// They are written before the account's identity, so missing files mean that settings have been lost.
package struct SettingsFiles: Sendable {
    private let folder: String
    private let files: FilePair

    package init(
        folder: String,
        beforeStep: @escaping @Sendable (FilePair.Step) throws(StoreFailure) -> Void = { _ in }
    ) {
        self.folder = folder
        files = FilePair(
            "settings", in: folder, bytesMost: SettingsCopy.bytesMost, beforeStep: beforeStep)
    }

    /// The paths of the files, in the order in which they are written.
    package var paths: [String] { files.paths }

    /// Reads both files; nil stands for a missing or damaged file.
    package func read() -> [SettingsCopy?] {
        files.read().map {
            if case .content(let content) = $0 { SettingsCopy(content: content) } else { nil }
        }
    }

    /// Makes the files of a new account, unless the folder has settings or databases of an earlier attempt.
    ///
    /// An earlier attempt to make or join an account may have left any of them; its settings still count.
    func create() throws(StoreFailure) {
        let databases = Lane.allCases.map { "\(folder)/\($0).sqlite" }
        guard (paths + databases).allSatisfy({ access($0, F_OK) != 0 }) else { return }
        try write(.first)
    }

    /// Removes the files of another account.
    func remove() throws(StoreFailure) { try files.remove() }

    /// Writes both files, and returns once both would survive a power loss.
    package func write(_ copy: SettingsCopy) throws(StoreFailure) { try files.write(copy.content) }
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
