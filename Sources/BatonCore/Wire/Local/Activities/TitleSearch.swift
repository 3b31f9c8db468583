/// Finds an activity by a part of its title, ignoring case and accents.
///
/// A title that equals the text is preferred to titles that only contain it.
package struct TitleSearch<Found> {
    private let text: String
    private let folded: String
    private var (exact, partial) = (Matches(), Matches())

    /// The first few matches, and the number of all.
    private struct Matches {
        var shown: [Found] = []
        var count = 0
    }

    /// The maximum number of matches that a failure lists.
    private static var shownMost: Int { 8 }

    /// Creates a search; nil if the text is empty once folded.
    package init?(_ text: String) {
        (self.text, folded) = (text, Folding.search.fold(text))
        guard !folded.isEmpty else { return nil }
    }

    /// Adds an activity if its title matches.
    package mutating func look(at found: Found, titled title: String?) {
        guard let title = title.map({ Folding.search.fold($0) }), title.contains(folded) else { return }
        if title == folded { Self.add(found, to: &exact) } else { Self.add(found, to: &partial) }
    }

    private static func add(_ found: Found, to matches: inout Matches) {
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
