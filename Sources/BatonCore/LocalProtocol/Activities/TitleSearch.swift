/// Finds an activity by a part of its title, ignoring case and accents.
///
/// Titles that equal the text are preferred to titles that only contain the text. Among titles of the same kind,
/// activities of other devices are preferred to activities of this device.
package struct TitleSearch<Found> {
    private let text: String
    private let folded: String
    private var (exact, partial) = (Matches(), Matches())

    private struct Matches {
        var found: [Found] = []
        /// Whether the matches are on other devices; if so, matches on this device are ignored.
        var areElsewhere = false
    }

    /// The maximum number of matches that a failure lists.
    private static var shownMost: Int { 8 }

    /// Creates a search; nil if nothing is left of the text without case and accents.
    package init?(_ text: String) {
        (self.text, folded) = (text, Folding.search.fold(text))
        guard !folded.isEmpty else { return nil }
    }

    /// Adds an activity if its title matches; `isHere` says whether this is the activity's device.
    package mutating func look(at found: Found, titled title: String?, isHere: Bool) {
        guard let title = title.map({ Folding.search.fold($0) }), title.contains(folded) else { return }
        if title == folded {
            Self.add(found, isHere: isHere, to: &exact)
        } else {
            Self.add(found, isHere: isHere, to: &partial)
        }
    }

    private static func add(_ found: Found, isHere: Bool, to matches: inout Matches) {
        if isHere, matches.areElsewhere { return }
        if !isHere, !matches.areElsewhere { matches = Matches(areElsewhere: true) }
        matches.found.append(found)
    }

    /// The best matches.
    package var found: [Found] { exact.found.isEmpty ? partial.found : exact.found }

    /// The description of a match that a person reads.
    package struct Label {
        private let identifier: String
        private let title: String
        private let place: String
        private let age: String

        /// `device` is the name of the activity's device; nil for this device.
        package init(
            identifier: String, title: String, device: String?, changed: WallTime, at now: WallTime
        ) {
            (self.identifier, self.title) = (identifier, title.shortened(to: 40))
            (place, age) = (device ?? "here", changed.shortAge(at: now))
        }

        fileprivate var text: String { "\(identifier) “\(title)” (\(place), \(age))" }
    }

    /// Returns the only match, or nil if there is none; a failure lists the matches if there are several.
    package func result(_ label: (Found) -> Label) -> Result<Found?, LocalFailure> {
        let found = found
        guard found.count > 1 else { return .success(found.first) }
        let labels = found.prefix(Self.shownMost).map { label($0).text }
        let rest = found.count - labels.count
        let more = rest > 0 ? ", and \(rest) more in `baton list`" : ""
        return .failure(
            LocalFailure(
                .notFound,
                "\(found.count) activities have “\(text)” in their titles. Name one by its ID:\n"
                    + labels.joined(separator: ", ") + more))
    }
}
