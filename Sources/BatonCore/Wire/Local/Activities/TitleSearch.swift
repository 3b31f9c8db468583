/// Finds an activity by a part of its title, ignoring case and accents.
///
/// A title that equals the text is preferred to titles that only contain it, and among those, activities of other
/// devices to those of this one.
package struct TitleSearch<Found> {
    private let text: String
    private let folded: String
    private var (exact, partial) = (Matches(), Matches())

    /// The first few matches, and the number of all.
    private struct Matches {
        var shown: [Found] = []
        var count = 0
        /// Whether they are on another device; matches on this one do not count beside those.
        var areElsewhere = false
    }

    /// The maximum number of matches that a failure lists.
    private static var shownMost: Int { 8 }

    /// Creates a search; nil if the text is empty once folded.
    package init?(_ text: String) {
        (self.text, folded) = (text, Folding.search.fold(text))
        guard !folded.isEmpty else { return nil }
    }

    /// Adds an activity of this device or another one if its title matches.
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
        matches.count += 1
        if matches.shown.count < shownMost { matches.shown.append(found) }
    }

    /// Returns the match, nil if there is none, or a failure that lists several.
    ///
    /// The closure returns the identifier and the title to list.
    package func result(_ name: (Found) -> (identifier: String, title: String)) -> Result<
        Found?, LocalFailure
    > {
        let matches = exact.count > 0 ? exact : partial
        guard matches.count > 1 else { return .success(matches.shown.first) }
        let names = matches.shown.map(name).map { "\($0.identifier) “\($0.title.shortened(to: 40))”" }
        let rest = matches.count - names.count
        let more = rest > 0 ? ", and \(rest) more in `baton list`" : ""
        return .failure(
            LocalFailure(
                .notFound,
                "\(matches.count) activities have “\(text)” in their titles. Name one by its ID:\n"
                    + names.joined(separator: ", ") + more))
    }
}
