package import BatonCore

/// What takes the place of a database when an earlier state comes back.
extension LaneFiles {
    /// What is being put together.
    var restoring: String { path + ".restoring" }
    /// What has been put together, and takes the place of the database.
    fileprivate var restored: String { path + ".restored" }

    /// Removes what was put together and is not wanted.
    func removeRestoring() throws(StoreFailure) {
        for part in [""] + Self.parts + ["-journal"] where folder.exists(restoring + part) {
            try folder.remove(restoring + part)
        }
    }

    fileprivate func removeRestored() throws(StoreFailure) {
        if folder.exists(restored) { try folder.remove(restored) }
    }

    fileprivate func moveRestoring() throws(StoreFailure) { try folder.move(restoring, restored) }

    /// Sets the database aside, and puts what comes back in its place; answers with the new name of what was set
    /// aside.
    fileprivate func takeRestored(on day: String) throws(StoreFailure) -> String? {
        guard folder.exists(restored) else { return nil }
        let aside = try setAside(on: day)
        try folder.move(restored, path)
        return aside
    }

    /// Gives the database another name; answers with that, if there was one.
    fileprivate func setAside(on day: String) throws(StoreFailure) -> String? {
        let (aside, isThere) = (nameReplaced(on: day), folder.exists(path))
        // What was rescued of the database that is set aside is not wanted any more.
        if folder.exists(successor) { try folder.remove(successor) }
        // One that was cut as it was made has a journal of another kind.
        for part in Self.parts + ["-journal", ""] where folder.exists(path + part) {
            try folder.move(path + part, aside + part)
        }
        return isThere ? aside : nil
    }

    /// A name that no database bears yet; it may have its journal already, if this was cut off in between.
    private func nameReplaced(on day: String) -> String {
        var (name, number) = ("\(path).replaced-\(day)", 1)
        while folder.exists(name) {
            number += 1
            name = "\(path).replaced-\(day)-\(number)"
        }
        return name
    }
}

/// The change from the present state of a store to one that comes back.
///
/// It counts as decided from one moment on, in which a file is renamed: the successor of the lane of activities,
/// which is given its name last and takes its place last. Cut off before, all is as it was; cut off later, the next
/// opening goes on.
extension StoreRestoration {
    /// What was put together in the folder takes the place of the store with the next opening, unless this throws.
    package static func decide(in folder: StoreFolder) throws(StoreFailure) {
        try LaneFiles(lane: .index, folder: folder).moveRestoring()
        try LaneFiles(lane: .activities, folder: folder).moveRestoring()
    }

    /// Sets aside a store that is of no use in its folder, such as that of another account; nothing has it open.
    package static func setAside(in folder: StoreFolder, on day: String) throws(StoreFailure) {
        for lane in Lane.allCases { _ = try LaneFiles(lane: lane, folder: folder).setAside(on: day) }
    }

    /// Does what was decided, before a store is opened; answers with what was set aside, or nothing if nothing was
    /// decided.
    package static func finish(in folder: StoreFolder, on day: String) throws(StoreFailure) -> [String]? {
        let (activities, index) = (
            LaneFiles(lane: .activities, folder: folder), LaneFiles(lane: .index, folder: folder)
        )
        for files in [activities, index] { try files.removeRestoring() }
        guard folder.exists(activities.restored) else {
            try index.removeRestored()
            return nil
        }
        return [try index.takeRestored(on: day), try activities.takeRestored(on: day)].compactMap(\.self)
    }
}
