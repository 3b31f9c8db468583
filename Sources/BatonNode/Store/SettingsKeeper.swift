import BatonCore
import BatonStore

/// Reads and changes the settings of an account.
///
/// Changes are made one after the other. A change takes effect once all copies of the settings have it.
///
/// The object belongs to the loop's thread.
final class SettingsKeeper {
    private let files: SettingsFiles
    private let store: StoreThreads
    /// The settings that are in all copies.
    private var kept: Settings
    /// A doubt about the settings that is not in all copies yet; nil if there is none.
    ///
    /// It takes effect immediately.
    private var doubt: SettingsDoubt?
    /// The number of the last copy that was written, or that could not be written.
    private var number: UInt64
    private var waiting: [Change] = []
    private var isWriting = false

    private struct Change {
        let body: (inout Settings) -> Void
        /// Called once all copies have the change.
        ///
        /// If writing fails, the failure is passed. Some copies may have the change even then.
        let then: (StoreFailure?) -> Void
    }

    /// Begins with the settings of a store that was opened.
    init(_ opened: SettingsCopy, in files: SettingsFiles, _ store: StoreThreads) {
        self.files = files
        self.store = store
        kept = opened.settings
        number = opened.number
    }

    /// The settings that apply now.
    var settings: Settings {
        var settings = kept
        if let doubt { settings.suspect(doubt) }
        return settings
    }

    /// Changes the settings.
    ///
    /// `then` is called once all copies would survive a power failure, or with the failure.
    func change(_ body: @escaping (inout Settings) -> Void, then: @escaping (StoreFailure?) -> Void) {
        waiting.append(Change(body: body, then: then))
        writeNext()
    }

    /// Makes this machine private at once, until its person decides.
    func suspect(_ doubt: SettingsDoubt, then: @escaping (StoreFailure?) -> Void) {
        self.doubt = self.doubt ?? doubt
        change({ $0.suspect(doubt) }, then: then)
    }

    /// Writes all copies again, because the database may have lost its copy.
    func noteAgain(then: @escaping (StoreFailure?) -> Void) { change({ _ in }, then: then) }

    private func writeNext() {
        guard !isWriting, !waiting.isEmpty else { return }
        isWriting = true
        let change = waiting.removeFirst()
        let included = doubt
        var changed = settings
        change.body(&changed)
        number += 1
        let copy = SettingsCopy(number: number, settings: changed)
        store.submit(to: .activities, durably: true) {
            [files, witness = store.witness] (store) throws(StoreFailure) in
            try files.write(copy)
            witness.noteSettings(copy.number)
            _ = try store.commit(.settings(copy))
        } then: { [self] result in
            isWriting = false
            switch result {
            case .success:
                kept = copy.settings
                // A doubt that arose during the write is included in the next write.
                if doubt == included { doubt = nil }
                change.then(nil)
            case .failure(let failure): change.then(failure)
            }
            writeNext()
        }
    }
}
