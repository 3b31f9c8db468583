import BatonCore

/// The files of one lane: its database, and the new database that replaces a damaged one.
///
/// A rescue creates a new database next to the damaged one, and renames both when the new one is complete. A rescue may
/// be interrupted at any point. The next opening of the store then finishes the renaming, or begins a new database
/// again.
struct LaneFiles {
    let lane: Lane
    let folder: StoreFolder

    /// The path of the database.
    var path: String { "\(folder.path)/\(lane).sqlite" }
    /// The path of the new database while it is incomplete.
    var draft: String { path + ".rescuing" }
    /// The path of the new database once it is complete, until it replaces the damaged database.
    var successor: String { path + ".rescued" }

    /// The path of the temporary database with the rows that a rescue has read page by page.
    var salvaged: String { path + ".salvaged" }

    /// The suffixes of the files that SQLite creates next to a database.
    static let parts = ["-wal", "-shm"]

    /// Removes the files of an interrupted rescue, so that a new database can be created.
    func beginDraft() throws(StoreFailure) {
        for part in [""] + Self.parts { try folder.remove(draft + part) }
        try removeSalvaged()
    }

    /// Removes the temporary database with the rows that were read page by page.
    func removeSalvaged() throws(StoreFailure) {
        for part in ["", "-journal"] + Self.parts where folder.exists(salvaged + part) {
            try folder.remove(salvaged + part)
        }
    }

    /// Renames the new database, because it is complete.
    func endDraft() throws(StoreFailure) {
        try folder.move(draft, successor)
    }

    /// Replaces the database with the new one, if the new one is complete.
    ///
    /// Returns the new path of the damaged database; nil if nothing was replaced.
    @discardableResult
    func takeSuccessor(on day: String) throws(StoreFailure) -> String? {
        guard folder.exists(successor) else { return nil }
        let newPath = damagedName(on: day)
        // The journal is renamed first. If it kept its name, SQLite would use it as the journal of the new database.
        for part in Self.parts + [""] where folder.exists(path + part) {
            try folder.move(path + part, newPath + part)
        }
        try folder.move(successor, path)
        return newPath
    }

    /// Returns a new path for the damaged database that no file has yet.
    private func damagedName(on day: String) -> String {
        var (name, number) = ("\(path).damaged-\(day)", 1)
        while ([""] + Self.parts).contains(where: { folder.exists(name + $0) }) {
            number += 1
            name = "\(path).damaged-\(day)-\(number)"
        }
        return name
    }
}
