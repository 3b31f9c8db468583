/// The databases that were renamed and kept in an account's folder.
///
/// Some of them were damaged. Others were replaced by a restored backup.
///
/// Such a name ends with the day. If several databases were moved on one day, a number follows. The files that SQLite
/// keeps beside a database have the same name with another suffix.
package struct MovedDatabases: Equatable, Sendable {
    /// A moved database.
    package struct File: Equatable, Sendable {
        package let name: String
        /// The original name of the database and the reason why it was moved, such as `index.sqlite.damaged`.
        package let origin: Substring
        /// The day on which the database was moved, such as `2026-01-02`.
        package let day: Substring
        /// Whether the database was moved because it was damaged; if not, a backup replaced it.
        package let isDamaged: Bool
        /// The number in the name, which distinguishes databases that were moved on the same day.
        fileprivate let number: Int

        /// Parses the name of a file; nil if it is not the name of a moved database.
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

    /// The suffixes of a database's file and of the files that SQLite keeps beside it.
    package static let parts = ["", "-wal", "-shm", "-journal"]

    /// Finds the moved databases among the names of the files in a folder.
    package init(_ names: [String]) {
        files = names.compactMap { File($0) }.sorted {
            ($0.day, $0.number, $0.name) > ($1.day, $1.number, $1.name)
        }
    }

    /// Returns the databases that can be deleted.
    ///
    /// These are the databases that were moved before `day`. For each origin, they are also those after the newest
    /// `Limits.movedDatabases`.
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
