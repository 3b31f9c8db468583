import BatonCore

/// The files of one lane: its database, and the new database that replaces a damaged one.
///
/// A rescue makes a new database beside the damaged one, and renames both when the new one is complete. It may be
/// interrupted at any point: the next opening finishes the renaming, or begins the new database again.
struct LaneFiles {
    let lane: Lane
    let folder: StoreFolder

    /// The path of the database.
    var path: String { "\(folder.path)/\(lane).sqlite" }
    /// The path of the new database until it is complete.
    var draft: String { path + ".rescuing" }
    /// The path of the new database when it is complete, before it replaces the damaged one.
    var successor: String { path + ".rescued" }

    /// The path of the temporary database of a rescue that reads page by page.
    var salvaged: String { path + ".salvaged" }

    /// The suffixes of the files that SQLite keeps beside a database.
    static let parts = ["-wal", "-shm"]

    /// Removes what an interrupted rescue left, to make room for a new database.
    func beginDraft() throws(StoreFailure) {
        for part in [""] + Self.parts { try folder.remove(draft + part) }
        try removeSalvaged()
    }

    /// Removes the database that was filled page by page.
    func removeSalvaged() throws(StoreFailure) {
        for part in ["", "-journal"] + Self.parts where folder.exists(salvaged + part) {
            try folder.remove(salvaged + part)
        }
    }

    /// Marks the new database as complete.
    func endDraft() throws(StoreFailure) {
        try folder.move(draft, successor)
    }

    /// Replaces the database with the new one, if that is complete; returns the new name of the old one.
    @discardableResult
    func takeSuccessor(on day: String) throws(StoreFailure) -> String? {
        guard folder.exists(successor) else { return nil }
        let newPath = damagedName(on: day)
        // If the journal kept its name, SQLite would take it for the new database's, so it is renamed first.
        for part in Self.parts + [""] where folder.exists(path + part) {
            try folder.move(path + part, newPath + part)
        }
        try folder.move(successor, path)
        return newPath
    }

    /// Returns a name that no file has yet.
    private func damagedName(on day: String) -> String {
        var (name, number) = ("\(path).damaged-\(day)", 1)
        while ([""] + Self.parts).contains(where: { folder.exists(name + $0) }) {
            number += 1
            name = "\(path).damaged-\(day)-\(number)"
        }
        return name
    }
}
