package import BatonCore

extension SearchExplanation {
    /// The finding about the item or activity that was explained.
    ///
    /// `name` is the text that the person typed.
    package func finding(of name: String, options: String) -> Finding {
        let (outcome, mark, found, advice) = words(options: options)
        let place = index.map { " in the index \($0)" } ?? ""
        let subject = title.map { "“\($0)”\(place)" } ?? "\(name)\(place)"
        return Finding(
            .search, outcome, mark, "\(subject)", "\(found)", advice: advice.map { "\($0)" })
    }

    private func words(
        options: String
    ) -> (outcome: String, mark: Finding.Mark, found: String, advice: String?) {
        switch outcome {
        case .shown:
            ("shown", .ok, place.map { "a search shows it at place \($0)" } ?? "a search shows it", nil)
        case .unknown:
            (
                "unknown", .problem, "this machine does not have it",
                "Check the identifiers; if another machine has it, see `baton status\(options)`."
            )
        case .deleted: ("deleted", .problem, "it was deleted", nil)
        case .expired: ("expired", .problem, "it has expired", nil)
        case .hidden:
            (
                "hidden", .problem, "it is hidden on this machine",
                "Type `baton forget --undo\(options) ID` to show it again."
            )
        case .ineligible:
            (
                "ineligible", .problem, "its app did not make it eligible for search",
                "An app says so with the activity: see `baton help app`."
            )
        case .isPrivate:
            (
                "private", .problem,
                "it is current, and ended activities are not saved while this machine is private",
                "Type `baton private off\(options)` before it ends."
            )
        case .appOff:
            (
                "appOff", .problem, "searching of \(app ?? "its app") is switched off on this machine",
                "Type `baton settings app \(app ?? "APP") search on\(options)`."
            )
        case .wordless: ("wordless", .problem, "it has no text that is searched", nil)
        case .gathering:
            (
                "gathering", .warning, "the index of words is being rebuilt, and does not have it yet",
                "Try again in a while."
            )
        case .merging:
            (
                "merging", .warning, "it is in a batch that has not ended or is not merged yet",
                "Try again in a while, or end the batch."
            )
        case .lacksWords:
            (
                "lacksWords", .problem,
                "it does not have \(words.map { "“\($0)”" }.joined(separator: ", "))", nil
            )
        case .rankedBelow:
            (
                "rankedBelow", .warning, "it has the words, but \(Limits.foundItems) others rank higher",
                "Use more words, or open it now and then."
            )
        case .goingOn:
            (
                "goingOn", .warning, "it is current; searches on other machines find it once it has ended",
                "Type `baton list\(options)` to see it."
            )
        case .leftOut:
            ("leftOut", .problem, "too many activities ended after it, so searches leave it out", nil)
        case .itemless:
            (
                "itemless", .problem, "its app ties it to an item, and that item is not in the index",
                "The app indexes the item, or ties the activity to none."
            )
        case .joined:
            ("joined", .ok, "a search shows another result about the same thing instead", nil)
        }
    }
}
