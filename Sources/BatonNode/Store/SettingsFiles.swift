package import BatonCore
import BatonStore
import Glibc

/// The two files beside an account's databases that contain the account's settings.
///
/// The files are written before the account's identity. Therefore, if both files are missing, settings have been lost.
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

    /// Reads both files.
    ///
    /// The result is nil for a file that is missing or damaged.
    package func read() -> [SettingsCopy?] {
        files.read().map {
            if case .content(let content) = $0 { SettingsCopy(content: content) } else { nil }
        }
    }

    /// Creates the files of a new account.
    ///
    /// Nothing is created if the folder already has settings or databases.
    ///
    /// An earlier attempt to create or join an account may have left them. Settings of that attempt still count.
    func create() throws(StoreFailure) {
        let databases = Lane.allCases.map { "\(folder)/\($0).sqlite" }
        guard (paths + databases).allSatisfy({ access($0, F_OK) != 0 }) else { return }
        try write(.first)
    }

    /// Removes the files, because they belong to another account.
    func remove() throws(StoreFailure) { try files.remove() }

    /// Writes both files.
    ///
    /// Returns when both files would survive a power failure.
    package func write(_ copy: SettingsCopy) throws(StoreFailure) { try files.write(copy.content) }
}

/// The settings that apply when a store is opened.
package struct OpenedSettings: Sendable {
    package let copy: SettingsCopy
    /// Whether the database had a note of the settings.
    ///
    /// A new database has none, and a rescued database may have lost it.
    let wasNoted: Bool
    /// The reason why a missing or older copy could not be written; nil if all copies are the same now.
    let failure: StoreFailure?

    /// Reads all copies of the settings, and joins them.
    ///
    /// Copies that differ from the result are written again.
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
            // A damaged database is rescued first. After that, its note is written again.
            guard error.code != .damaged else { throw error }
            failure = error
        }
    }
}

extension StoreTransaction {
    /// Returns the transaction that stores the note of the settings.
    static func settings(_ copy: SettingsCopy) -> StoreTransaction {
        var transaction = StoreTransaction(lane: .activities, writes: [], completing: VersionVector())
        transaction.notes = [copy.note]
        return transaction
    }
}
