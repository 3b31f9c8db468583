import Support
import Testing

/// The state on which two machines must agree, as far as the exit statuses of commands tell.
///
/// A command that exited with 0 took effect. Any other may have taken effect or not, but wholly, and alike on every
/// machine.
struct Acknowledged {
    /// A title, or no activity.
    private var possible: [Place: Set<String?>] = [:]

    /// An instance on a machine.
    struct Place: Hashable, Comparable, CustomStringConvertible {
        let machine: String
        let instance: String

        static func < (left: Self, right: Self) -> Bool { left.description < right.description }
        var description: String { "\(instance) on \(machine)" }
    }

    /// The title that certainly exists, or nil if there is none or it is unknown.
    func title(at place: Place) -> String? {
        guard let titles = possible[place], titles.count == 1 else { return nil }
        return titles.first ?? nil
    }

    /// Whether an activity may exist.
    func mayExist(at place: Place) -> Bool { possible[place]?.contains { $0 != nil } ?? false }

    /// Records a command that leads to this title, or to none, and its exit status.
    mutating func note(_ title: String?, at place: Place, status: Int32) {
        if status == 0 { possible[place] = [title] } else { possible[place, default: [nil]].insert(title) }
    }

    /// Compares with a machine's list, which counts as known from then on.
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
    /// The titles of all listed activities.
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
