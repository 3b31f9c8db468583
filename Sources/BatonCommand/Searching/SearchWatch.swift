package import BatonClient
package import BatonCore

/// Follows the results of a search: decides which call to make next, and turns each answer into events.
package struct SearchWatch {
    package let search: SearchItems
    /// The version of the results, or nil before the node has sent any.
    private var number: UInt64?
    /// The present results, with the best result first.
    package private(set) var results: [SearchResult] = []
    /// The corrected text, if it was searched for because nothing matches the given text.
    package private(set) var corrected: String?

    package init(_ search: SearchItems) { self.search = search }

    /// A change of the results.
    ///
    /// The place of a result counts from one.
    package enum Happening: Equatable, Sendable {
        /// Everything reported before is no longer valid; all results follow.
        case anew
        case came(SearchResult, place: Int)
        case changed(SearchResult, place: Int)
        case gone(SearchResult)
    }

    /// Returns the first call to make after a node was connected.
    package mutating func begin() -> any LocalCall {
        number = nil
        return WatchSearch(search, after: nil)
    }

    /// Reads the answer to the last call, and returns the changes and the next call.
    package mutating func receiveAnswer(
        _ answer: LocalAnswer
    ) throws(LocalFailure) -> (happenings: [Happening], next: any LocalCall) {
        let changes = try answer.reply(to: WatchSearch.self)
        let isAnew = number == nil
        let before = isAnew ? [] : results
        let known = Set(before.map(\.key))
        var (now, happenings): ([SearchResult], [Happening]) = ([], [])
        for (place, entry) in changes.entries.enumerated() {
            switch entry {
            case .same(let old):
                guard old < UInt64(before.count) else {
                    throw LocalFailure(
                        .failed, "The node refers to a result that it has not sent. See its log.")
                }
                now.append(before[Int(old)])
            case .other(let result):
                now.append(result)
                happenings.append(
                    known.contains(result.key)
                        ? .changed(result, place: place + 1) : .came(result, place: place + 1))
            }
        }
        let left = Set(now.map(\.key))
        happenings = before.filter { !left.contains($0.key) }.map { .gone($0) } + happenings
        (number, results, corrected) = (changes.number, now, changes.corrected)
        return (isAnew ? [.anew] + happenings : happenings, WatchSearch(search, after: number))
    }
}

extension SearchResult {
    /// Identifies the found thing among the results, and in later answers.
    var key: [String] {
        switch thing {
        case .item(let item), .both(let item, _): [item.app, item.index, item.identifier]
        case .activity(let activity): [activity.identifier]
        }
    }
}

extension JSON {
    /// Converts one change of the results to a line of JSON.
    package init(_ happening: SearchWatch.Happening) {
        switch happening {
        case .anew: self = .event("anew")
        case .came(let result, let place):
            self = .event("came", Member("place", .integer(Int64(place))), Member("result", JSON(result)))
        case .changed(let result, let place):
            self = .event("changed", Member("place", .integer(Int64(place))), Member("result", JSON(result)))
        case .gone(let result): self = .event("gone", Member("result", JSON(result)))
        }
    }
}

extension FoundList {
    /// A line that reports a change of the results, or nil for the beginning of a new list.
    package static func line(_ happening: SearchWatch.Happening) -> VisibleText? {
        switch happening {
        case .anew: nil
        case .came(let result, _): result.label
        case .changed(let result, _): result.label + ": changed"
        case .gone(let result): result.label + ": gone"
        }
    }
}

extension SearchResult {
    /// The title, the app and the devices of the result.
    fileprivate var label: VisibleText {
        let title = thing.name
        return "“\(title)” (\(thing.app))" + (devices.isEmpty ? "" : ", " + places)
    }
}
