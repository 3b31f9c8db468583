import Support
import Testing

/// What two machines must agree on, as far as whoever typed the commands can know it.
///
/// A command that exited with 0 has happened. One that did not may have happened or not, but whole, and the same on
/// every machine.
struct Acknowledged {
    /// A title, or that there is no activity.
    private var possible: [Place: Set<String?>] = [:]

    /// An instance on a machine.
    struct Place: Hashable, Comparable, CustomStringConvertible {
        let machine: String
        let instance: String

        static func < (left: Self, right: Self) -> Bool { left.description < right.description }
        var description: String { "\(instance) on \(machine)" }
    }

    /// The title that surely is there; nothing if none is, or nobody knows.
    func title(at place: Place) -> String? {
        guard let titles = possible[place], titles.count == 1 else { return nil }
        return titles.first ?? nil
    }

    /// Whether an activity may be there.
    func mayExist(at place: Place) -> Bool { possible[place]?.contains { $0 != nil } ?? false }

    /// A command that leads to this title, or to none, exited with that status.
    mutating func note(_ title: String?, at place: Place, status: Int32) {
        if status == 0 { possible[place] = [title] } else { possible[place, default: [nil]].insert(title) }
    }

    /// Compares with what a machine lists; what it shows is known from then on.
    mutating func check(
        _ listed: [Place: String], _ seed: Comment, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for place in Set(possible.keys).union(listed.keys).sorted() {
            let expected = possible[place] ?? [nil]
            #expect(
                expected.contains(listed[place]),
                "\(place): listed \(listed[place] ?? "nothing"), expected \(expected); \(seed)",
                sourceLocation: sourceLocation)
            possible[place] = [listed[place]]
        }
    }
}

extension Machine {
    /// The titles of all that is listed here.
    func titles() throws -> [Acknowledged.Place: String] {
        var titles: [Acknowledged.Place: String] = [:]
        for activity in try list() {
            let place = Acknowledged.Place(
                machine: try #require(activity["device"]["name"].string),
                instance: try #require(activity["instance"].string))
            #expect(titles[place] == nil, "one instance has one activity")
            let title: String = try #require(activity["title"].string)
            titles[place] = title
        }
        return titles
    }
}
