/// The databases that were moved within an account's folder: damaged databases, and databases that a restored backup
/// replaced.
///
/// Their names end with the day, and with a number if there are several from one day. The files that SQLite keeps
/// beside a database have its name with another suffix.
package struct MovedDatabases: Equatable, Sendable {
    /// A moved database.
    package struct File: Equatable, Sendable {
        package let name: String
        /// The database that it was, and why it was moved: `index.sqlite.damaged`.
        package let origin: Substring
        /// The day on which it was moved, as in `2026-01-02`.
        package let day: Substring
        /// Whether the database was damaged; otherwise a backup replaced it.
        package let isDamaged: Bool
        /// The number of the database among those moved on its day.
        fileprivate let number: Int

        /// Reads the name of a file; nil if it is not the name of a moved database.
        package init?(_ name: String) {
            let endings = [".sqlite.damaged-", ".sqlite.replaced-"]
            guard let ending = endings.first(where: { !name.ranges(of: $0).isEmpty }),
                let place = name.ranges(of: ending).last
            else { return nil }
            let rest = name[place.upperBound...]
            let day = rest.prefix(10)
            guard day.count == 10, day.allSatisfy({ $0 == "-" || $0.isASCII && $0.isNumber }) else {
                return nil
            }
            let tail = rest.dropFirst(10)
            guard tail.isEmpty || tail.first == "-" else { return nil }
            guard let number = tail.isEmpty ? 1 : Int(tail.dropFirst()) else { return nil }
            (self.name, self.day, self.number) = (name, day, number)
            origin = name[..<name.index(before: place.upperBound)]
            isDamaged = ending == endings[0]
        }
    }

    /// The databases, the newest first.
    package let files: [File]

    /// The suffixes of a database, and of the files that SQLite keeps beside it.
    package static let parts = ["", "-wal", "-shm", "-journal"]

    /// Finds the moved databases among the names in a folder.
    package init(_ names: [String]) {
        files = names.compactMap { File($0) }.sorted {
            ($0.day, $0.number, $0.name) > ($1.day, $1.number, $1.name)
        }
    }

    /// Returns the databases to delete: those moved before `day`, and those beyond the newest `Limits.movedDatabases`
    /// of their origin.
    ///
    /// The newest database of each origin is always kept, because a clock may be wrong.
    package func obsolete(before day: String) -> [File] {
        var counts: [Substring: Int] = [:]
        return files.filter { file in
            counts[file.origin, default: 0] += 1
            let place = counts[file.origin, default: 0]
            return place > 1 && (file.day < day || place > Limits.movedDatabases)
        }
    }
}
