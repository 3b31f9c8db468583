import BatonCore
import BatonStore
import Support

/// A search that a person or an app makes.
struct SearchQuestion {
    let kind: Kind
    let scope: SearchScope
    let now: WallTime
    /// The most results.
    let most: Int

    enum Kind {
        /// Words that a person typed.
        case words(String)
        /// A query in the query language, and its text.
        case query(SearchQuery, String)
        /// Words for which a person is offered others.
        case suggestions(String)
    }

    /// An answer to a question.
    enum Answer: Equatable {
        case found(SearchFinding)
        case suggested([SearchSuggestion])
    }

    func ask(_ reader: SearchReader) throws(StoreFailure) -> Answer {
        switch kind {
        case .words(let typed): .found(try reader.find(typed, most: most, at: now, in: scope))
        case .query(let query, _): .found(try reader.find(query, most: most, at: now, in: scope))
        case .suggestions(let typed): .suggested(try reader.suggest(typed, most: most, at: now, in: scope))
        }
    }
}

extension SearchQuestion: CustomStringConvertible {
    var description: String {
        let limits =
            (scope.appsOff.isEmpty ? [] : ["without \(scope.appsOff.sorted().joined(separator: ", "))"])
            + [scope.filter.app.map { "in \($0)" }, scope.filter.kind.map { "only \($0.text)" }]
            .compactMap(\.self) + (scope.condition == nil ? [] : ["with a condition"])
        let what =
            switch kind {
            case .words(let typed): "“\(typed)”"
            case .query(_, let text): text
            case .suggestions(let typed): "suggestions for “\(typed)”"
            }
        return ([what] + limits).joined(separator: " ")
    }
}

extension World {
    /// Whether items have scopes, by which searches tell the apps that they belong to.
    private var hasScopes: Bool { profile[.expire] == 0 }

    /// Whether the items of this world are made for searches.
    var searchesMuch: Bool { profile[.search] > 0 }

    private static let words = ["red", "reed", "blue", "b", "4"]
    private static let moreWords = words + ["bluer", "green", "greed", "京都", "東京都"]

    /// Returns some words for an item, or nil.
    func words() -> [String]? {
        guard streams["words"].chance(60) else { return nil }
        let words = searchesMuch ? Self.moreWords : Self.words
        return (0..<streams["words"].number(1...4)).map { _ in streams["words"].pick(words) }
    }

    /// Returns words that a person looks for.
    func typed() -> String {
        let further = ["item", "re", "1"] + (searchesMuch ? ["京", "都", "gren", "rad", "bule", "gre"] : [])
        let words = (0..<streams["queries"].number(0...2)).map { _ in
            streams["queries"].pick((searchesMuch ? Self.moreWords : Self.words) + further)
        }
        return words.joined(separator: " ") + (streams["queries"].chance(50) ? " " : "")
    }

    /// Returns a search at a node, with the scope that its settings may give it.
    func question(at node: SimulatedNode, _ contents: SQLiteContents, most: Int = 1000) -> SearchQuestion {
        var scope = SearchScope(kept: contents.keptActivities.searched)
        let stream = "questions"
        if hasScopes, streams[stream].chance(40) {
            let apps = jobs.map(\.app) + [SimulatedApps.app, "org.other"]
            if streams[stream].chance(50) { scope.appsOff = [streams[stream].pick(apps)] }
            if streams[stream].chance(40) { scope.filter.app = streams[stream].pick(apps) }
            if streams[stream].chance(20) { scope.filter.kind = streams[stream].pick([.item, .activity]) }
            if streams[stream].chance(30) { scope.condition = query().query }
        }
        let now = streams[stream].pick([node.wallTime, node.wallTime, WallTime(milliseconds: .min)])
        let choice = streams[stream].number(0...9)
        let kind: SearchQuestion.Kind
        if choice < 3, hasScopes {
            let (query, text) = query()
            (kind, scope.condition) = (.query(query, text), nil)
        } else if choice < 5, hasScopes {
            // Nobody limits suggestions further than to an app.
            (kind, scope.filter.kind, scope.condition) = (.suggestions(typed()), nil, nil)
        } else {
            kind = .words(typed())
        }
        return SearchQuestion(kind: kind, scope: scope, now: now, most: most)
    }

    /// Returns a query that some items meet.
    private func query() -> (query: SearchQuery, text: String) {
        let draw = { (values: [String]) in self.streams["asked"].pick(values) }
        let conditions = (0..<streams["asked"].number(1...2)).map { _ in
            let word = draw(["red", "re*", "*ee*", "b*", "item*", "4", "京都"]) + "\""
            return draw([
                "keywords == \"\(word)cd", "!(keywords == \"\(word))", "title == \"*\(word)",
                "** == \"\(word)cdw",
                "pageCount >= \(draw(["1", "2", "3"]))", "InRange(pageCount, 1, 2)", "pageCount == 2",
                "domainIdentifier == \"\(draw(["d0", "d1", "d2"]))\"",
                "domainIdentifier == \"d*\"",
            ])
        }
        let text = conditions.joined(separator: draw([" && ", " || "]))
        do throws(QueryFailure) {
            return (try SearchQuery(text, at: PresentTime(WallTime(milliseconds: 0)) { _ in 0 }), text)
        } catch {
            preconditionFailure("the query of a world is one: \(error)")
        }
    }
}
