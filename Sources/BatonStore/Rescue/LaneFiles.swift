import BatonCore

/// The files of one lane: the database, and what takes its place when it is damaged.
///
/// A rescue puts a new database together beside the damaged one, and only when it is whole gives both their new names.
/// It may be cut anywhere: what was put together is finished at the next opening, or put together anew.
struct LaneFiles {
    let lane: Lane
    let folder: StoreFolder

    /// The database.
    var path: String { "\(folder.path)/\(lane == .activities ? "activities" : "index").sqlite" }
    /// What is being put together.
    var draft: String { path + ".rescuing" }
    /// What has been put together, and takes the place of the database.
    var successor: String { path + ".rescued" }

    /// What SQLite keeps beside a database.
    static let parts = ["-wal", "-shm"]

    /// Begins to put a database together.
    func beginDraft() throws(StoreFailure) {
        for part in [""] + Self.parts { try folder.remove(draft + part) }
    }

    /// What has been put together is whole.
    func endDraft() throws(StoreFailure) {
        try folder.move(draft, successor)
    }

    /// Sets the database aside, and puts what has been put together in its place; answers with the new name of what was
    /// set aside, if there was anything to be done.
    @discardableResult
    func takeSuccessor(on day: String) throws(StoreFailure) -> String? {
        guard folder.exists(successor) else { return nil }
        let aside = nameAside(on: day)
        // A journal that stays behind would be taken for that of the new database, so it goes first.
        for part in Self.parts + [""] where folder.exists(path + part) {
            try folder.move(path + part, aside + part)
        }
        try folder.move(successor, path)
        return aside
    }

    /// A name that nothing bears yet.
    private func nameAside(on day: String) -> String {
        var (name, number) = ("\(path).damaged-\(day)", 1)
        while ([""] + Self.parts).contains(where: { folder.exists(name + $0) }) {
            number += 1
            name = "\(path).damaged-\(day)-\(number)"
        }
        return name
    }
}
