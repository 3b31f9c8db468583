import BatonCore
import BatonNetwork
import BatonStore

/// Databases that had been moved away in an account's folder, and that are removed because they are no longer needed.
struct RemovedDatabases: Sendable {
    private var names: [String] = []
    /// The reason why a database could not be removed; nil if all were removed.
    private var failure: StoreFailure?

    /// Removes moved databases that are old, or of which there are enough newer ones.
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

    /// Logs the names of the databases that were removed.
    func tell(_ log: Log) {
        if !names.isEmpty {
            log.tell("databases that were moved long ago were removed: \(names.joined(separator: ", "))")
        }
        if let failure { log.warn("a moved database can't be removed: \(failure)") }
    }
}
