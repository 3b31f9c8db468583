package import BatonCore

/// The files that replace a database when a backup is restored.
extension LaneFiles {
    /// The path of the restored database until it is complete.
    var restoring: String { path + ".restoring" }
    /// The path of the restored database when it is complete, before it replaces the present one.
    fileprivate var restored: String { path + ".restored" }

    /// Removes a restored database that is not complete.
    func removeRestoring() throws(StoreFailure) {
        for part in [""] + Self.parts + ["-journal"] where folder.exists(restoring + part) {
            try folder.remove(restoring + part)
        }
    }

    fileprivate func removeRestored() throws(StoreFailure) {
        if folder.exists(restored) { try folder.remove(restored) }
    }

    fileprivate func moveRestoring() throws(StoreFailure) { try folder.move(restoring, restored) }

    /// Replaces the database with the restored one; returns the new name of the old one.
    fileprivate func takeRestored(on day: String) throws(StoreFailure) -> String? {
        guard folder.exists(restored) else { return nil }
        let newPath = try moveAway(on: day)
        try folder.move(restored, path)
        return newPath
    }

    /// Renames the database; returns its new name, or nil if there was none.
    fileprivate func moveAway(on day: String) throws(StoreFailure) -> String? {
        let (newPath, isThere) = (nameReplaced(on: day), folder.exists(path))
        // A rescued copy of the old database is no longer needed.
        if folder.exists(successor) { try folder.remove(successor) }
        // A database whose creation was interrupted has a journal of another kind.
        for part in Self.parts + ["-journal", ""] where folder.exists(path + part) {
            try folder.move(path + part, newPath + part)
        }
        return isThere ? newPath : nil
    }

    /// Returns a name that no database has yet; after an interrupted renaming, the database's journal may have it
    /// already.
    private func nameReplaced(on day: String) -> String {
        var (name, number) = ("\(path).replaced-\(day)", 1)
        while folder.exists(name) {
            number += 1
            name = "\(path).replaced-\(day)-\(number)"
        }
        return name
    }
}

/// The replacement of a store's databases with restored ones.
///
/// One renaming decides it: the restored database of the activities lane is the last to be renamed, and the last to
/// replace a present one. If the restoration is interrupted before this renaming, everything stays as it was; if it is
/// interrupted later, the next opening finishes it.
extension StoreRestoration {
    /// Decides that the restored databases replace the present ones at the next opening, unless this throws.
    package static func decide(in folder: StoreFolder) throws(StoreFailure) {
        try LaneFiles(lane: .index, folder: folder).moveRestoring()
        try LaneFiles(lane: .activities, folder: folder).moveRestoring()
    }

    /// Renames the databases of an unusable store, such as one of another account, in its folder; no process has the
    /// store open.
    package static func moveAway(in folder: StoreFolder, on day: String) throws(StoreFailure) {
        for lane in Lane.allCases { _ = try LaneFiles(lane: lane, folder: folder).moveAway(on: day) }
    }

    /// Finishes a restoration that was decided, before the store is opened; returns the new names of the old
    /// databases, or nil if nothing was decided.
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
