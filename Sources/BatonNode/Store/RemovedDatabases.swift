import BatonCore
import BatonNetwork
import BatonStore

/// The databases that were moved within an account's folder, and that are removed because they need no longer be kept.
struct RemovedDatabases: Sendable {
    private var names: [String] = []
    /// Why a database could not be removed.
    private var failure: StoreFailure?

    /// Removes databases that were moved long ago, or of which enough newer ones are kept.
    init(from folder: StoreFolder) {
        let day = WallTime.now.advanced(by: .zero - Limits.movedDatabasesTime).date
        for file in MovedDatabases(FolderContents.names(in: folder.path)).obsolete(before: day) {
            do throws(StoreFailure) {
                for part in MovedDatabases.parts {
                    try folder.remove("\(folder.path)/\(file.name)\(part)")
                }
                names.append(file.name)
            } catch {
                failure = error
            }
        }
    }

    /// Logs which databases were removed.
    func tell(_ log: Log) {
        if !names.isEmpty {
            log.tell("databases that were moved long ago were removed: \(names.joined(separator: ", "))")
        }
        if let failure { log.warn("a moved database can't be removed: \(failure)") }
    }
}
