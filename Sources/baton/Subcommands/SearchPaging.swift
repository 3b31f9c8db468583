import BatonClient
import BatonCommand
import BatonCore

/// `baton search` with more results than fit in one answer: requests the results page by page.
enum SearchPaging {
    /// Shows all results of a search.
    ///
    /// With `--json`, each page is printed as soon as it arrives.
    static func run(
        _ words: SearchItems?, _ query: QueryItems?, _ node: inout NodeConnection, _ call: Call
    ) throws(LocalFailure) {
        // A list that is sorted can have only a limited number of results. Beyond it, results are printed as they are
        // found.
        let most = words?.most ?? query?.most ?? 0
        var page = try node.ask(
            BeginSearch(
                1, words: words, query: query, order: most > Limits.listedResults ? .found : .best))
        let corrected = page.corrected
        var list = call.isJSON ? GrowingList("results", on: call.console) : nil
        var (results, isWhole, isLocked) = ([SearchResult](), true, false)
        while true {
            isWhole = isWhole && page.isWhole
            isLocked = isLocked || page.isLocked
            if list == nil { results += page.results } else { try list?.add(page.results.map { JSON($0) }) }
            if page.isLast { break }
            page = try node.ask(NextPage(1))
        }
        guard let list else {
            var found = SearchReply(results, isWhole: isWhole, corrected: corrected)
            found.isLocked = isLocked
            return Search.show(found, of: words?.text ?? "", call)
        }
        list.end(
            [.init("complete", .boolean(isWhole)), .init("corrected", JSON(corrected))]
                + Search.locked(isLocked))
    }
}
