package import BatonCore

/// The files of a lane with which a restoration replaces the database.
extension LaneFiles {
    /// The path of the restored database while it is incomplete.
    var restoring: String { path + ".restoring" }
    /// The path of the restored database once it is complete, until it replaces the present database.
    fileprivate var restored: String { path + ".restored" }

    /// Removes an incomplete restored database.
    func removeRestoring() throws(StoreFailure) {
        for part in [""] + Self.parts + ["-journal"] where folder.exists(restoring + part) {
            try folder.remove(restoring + part)
        }
    }

    fileprivate func removeRestored() throws(StoreFailure) {
        if folder.exists(restored) { try folder.remove(restored) }
    }

    fileprivate func moveRestoring() throws(StoreFailure) { try folder.move(restoring, restored) }

    /// Replaces the present database with the restored one.
    ///
    /// Returns the new path of the replaced database. Returns nil if there was no restored database, or none to be
    /// replaced.
    fileprivate func takeRestored(on day: String) throws(StoreFailure) -> String? {
        guard folder.exists(restored) else { return nil }
        let newPath = try moveAway(on: day)
        try folder.move(restored, path)
        return newPath
    }

    /// Renames the database, and returns its new path; returns nil if there was no database.
    fileprivate func moveAway(on day: String) throws(StoreFailure) -> String? {
        let (newPath, isThere) = (nameReplaced(on: day), folder.exists(path))
        // An interrupted rescue may have left a copy of the old database, which is no longer needed.
        if folder.exists(successor) { try folder.remove(successor) }
        // If the creation of the database was interrupted, it has a rollback journal instead of a write-ahead log.
        for part in Self.parts + ["-journal", ""] where folder.exists(path + part) {
            try folder.move(path + part, newPath + part)
        }
        return isThere ? newPath : nil
    }

    /// Returns a path that no database has yet.
    ///
    /// If an earlier renaming was interrupted, the journal of the database may already have this name.
    private func nameReplaced(on day: String) -> String {
        var (name, number) = ("\(path).replaced-\(day)", 1)
        while folder.exists(name) {
            number += 1
            name = "\(path).replaced-\(day)-\(number)"
        }
        return name
    }
}

/// Replaces the databases of a store with restored databases.
///
/// The renaming of one file decides whether the databases are replaced: that of the restored database of the activities
/// lane. This file is renamed last, and is the last to replace a present database. If the restoration is interrupted
/// before this renaming, everything stays as it was. If it is interrupted later, the next opening of the store finishes
/// the restoration.
extension StoreRestoration {
    /// Decides that the restored databases replace the present ones when the store is opened next.
    ///
    /// If this throws, the present databases stay.
    package static func decide(in folder: StoreFolder) throws(StoreFailure) {
        try LaneFiles(lane: .index, folder: folder).moveRestoring()
        try LaneFiles(lane: .activities, folder: folder).moveRestoring()
    }

    /// Renames the databases of an unusable store, for example one of another account.
    ///
    /// No process may have the store open.
    package static func moveAway(in folder: StoreFolder, on day: String) throws(StoreFailure) {
        for lane in Lane.allCases { _ = try LaneFiles(lane: lane, folder: folder).moveAway(on: day) }
    }

    /// Finishes a restoration that was decided, before the store is opened.
    ///
    /// Returns the new paths of the replaced databases, or nil if no restoration was decided.
    package static func finish(in folder: StoreFolder, on day: String) throws(StoreFailure) -> [String]? {
        let lanes = PerLane { LaneFiles(lane: $0, folder: folder) }
        for files in lanes.all { try files.removeRestoring() }
        guard folder.exists(lanes.activities.restored) else {
            try lanes.index.removeRestored()
            return nil
        }
        return [try lanes.index.takeRestored(on: day), try lanes.activities.takeRestored(on: day)]
            .compactMap(\.self)
    }
}
