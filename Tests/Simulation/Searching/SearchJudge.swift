import BatonCore
import BatonStore

/// Judges what searches at a node find by what its records say.
struct SearchJudge {
    let node: SimulatedNode
    let contents: SQLiteContents
    let plain: PlainSearch

    init(_ node: SimulatedNode, _ contents: SQLiteContents) {
        (self.node, self.contents, plain) = (node, contents, PlainSearch(contents))
    }

    private var world: World { node.world }
    private var limits: SearchLimits { world.profile.constants.search }

    /// Whether searches have all activities in memory.
    private var hasAllActivities: Bool { plain.replicatedCount <= limits.activities }

    /// Asks a reader that has searched before and a new one, which must answer alike, and judges the answer.
    @discardableResult
    func judge(_ question: SearchQuestion) -> SearchQuestion.Answer {
        let answer = contents.searchOn(limits) { (lasting) throws(StoreFailure) in
            try question.ask(lasting.reader)
        }
        let other = contents.search(limits) { (reader) throws(StoreFailure) in try question.ask(reader) }
        if answer != other {
            violate(
                .convergence, question,
                "answers otherwise than if it had just started: \(told(answer)), and not \(told(other))")
        }
        switch (question.kind, answer) {
        case (.words(let typed), .found(let finding)): judge(finding, of: typed, question)
        case (.query(let query, _), .found(let finding)): judge(finding, of: query, question)
        case (.suggestions(let typed), .suggested(let suggestions)): judge(suggestions, for: typed, question)
        default: preconditionFailure("an answer is of the kind of its question")
        }
        return answer
    }

    // MARK: Words

    private func judge(_ finding: SearchFinding, of typed: String, _ question: SearchQuestion) {
        // Ended batches that are not merged may change the stored items.
        guard finding.coverage != .merging else { return }
        let expected = plain.matches(typed, in: question.scope, at: question.now)
        if let corrected = finding.corrected {
            // Other words were searched for, which is right only if nothing has those that were typed.
            if let thing = expected.first(where: { hasAllActivities || $0.isItem }) {
                violate(
                    .acknowledgedIsKept, question,
                    "is corrected to “\(corrected)” although \(thing.name) has it")
            }
            world.marks[.searchesCorrected] += 1
            let others = plain.matches(corrected, in: question.scope, at: question.now)
            return judge(finding, among: others, question)
        }
        if finding.coverage == .refilling { world.marks[.searchesRefilled] += 1 }
        judge(finding, among: expected, question)
        let isUnsettled = contents.store.isUnsettled(.index)
        // Until a clear is swept, the words of cleared items take the places of other completions.
        let completesAll = !isUnsettled || limits.completions == SearchLimits().completions
        let isWhole =
            finding.isWhole && completesAll && plain.looksForAll(typed, completions: limits.completions)
        if isWhole { demandAll(expected, in: finding, question) }
        // Where not all things with a word are ranked, none of those with the right word may be, and words that go on
        // count for some of them only.
        let isExact =
            isWhole && limits.rankedItems > plain.things.count && !isUnsettled
        if isExact, finding.things.isEmpty, question.most > 0,
            let word = plain.correction(
                of: typed, in: question.scope, at: question.now, withActivities: hasAllActivities)
        {
            violate(.acknowledgedIsKept, question, "finds nothing, and does not look for “\(word)”")
        }
        judgeOrder(finding, question)
        // Items that can't be read count differently.
        if isExact, hasAllActivities, world.unreadableRecords.isEmpty {
            judgeRanks(finding, of: typed, among: expected, question)
        }
    }

    /// Checks that nothing else is found than what was expected, and nothing twice.
    private func judge(
        _ finding: SearchFinding, among expected: [PlainSearch.Thing], _ question: SearchQuestion
    ) {
        let known = Set(expected.map(\.identity))
        var seen: Set<RecordIdentity> = []
        for thing in finding.things {
            world.marks[thing.thing.item == nil ? .activitiesFound : .itemsFound] += 1
            if !known.contains(thing.identity) || !seen.insert(thing.identity).inserted {
                violate(
                    .noResurrection, question,
                    "finds \(thing.told), which does not have it, is not there, or was found")
            }
        }
    }

    private func demandAll(
        _ expected: [PlainSearch.Thing], in finding: SearchFinding, _ question: SearchQuestion
    ) {
        guard finding.things.count < question.most else { return }
        let found = Set(finding.things.map(\.identity))
        for thing in expected where !found.contains(thing.identity) && (hasAllActivities || thing.isItem) {
            violate(.acknowledgedIsKept, question, "does not find \(thing.name)")
        }
    }

    /// Checks that the best come first, and of equal ones those that were indexed or ended last.
    private func judgeOrder(_ finding: SearchFinding, _ question: SearchQuestion) {
        let things = Dictionary(plain.things.map { ($0.identity, $0) }) { first, _ in first }
        for (thing, next) in zip(finding.things, finding.things.dropFirst()) {
            let (score, other) = (thing.rank?.score ?? -1, next.rank?.score ?? -1)
            guard score >= 0, other >= 0, score >= other else {
                return violate(
                    .convergence, question, "finds \(thing.told) of rank \(score) before one of rank \(other)"
                )
            }
            guard score == other, let age = things[thing.identity]?.age,
                let later = things[next.identity]?.age
            else { continue }
            if later.precedes(age) {
                violate(.convergence, question, "finds \(thing.told) before \(next.told), which is newer")
            }
        }
    }

    private func judgeRanks(
        _ finding: SearchFinding, of typed: String, among expected: [PlainSearch.Thing],
        _ question: SearchQuestion
    ) {
        let things = Dictionary(expected.map { ($0.identity, $0) }) { first, _ in first }
        for found in finding.things {
            guard let thing = things[found.identity], let rank = found.rank,
                let plainly = plain.rank(
                    of: thing, for: typed, in: question.scope, at: question.now,
                    completions: limits.completions)
            else { continue }
            let differences = [
                rank.text - plainly.text, rank.use - plainly.use, rank.hint - plainly.hint,
                rank.freshness - plainly.freshness,
            ]
            if differences.contains(where: { abs($0) > 1e-9 * max(1, abs(plainly.score)) }) {
                violate(
                    .convergence, question,
                    "gives \(thing.name) the rank \(rank), and not \(plainly), by \(plain.told)")
            }
        }
    }

    // MARK: Queries

    private func judge(
        _ finding: SearchFinding, of query: SearchQuery, _ question: SearchQuestion
    ) {
        guard finding.coverage != .merging else { return }
        let expected = plain.matches(query, in: question.scope, at: question.now)
        judge(finding, among: expected, question)
        guard finding.isWhole else { return }
        let (found, wanted) = (finding.things.map(\.identity), expected.prefix(question.most).map(\.identity))
        if found != wanted {
            violate(
                found.count < wanted.count ? .acknowledgedIsKept : .convergence, question,
                "finds \(finding.things.map(\.told)), and not \(expected.map(\.name))")
        }
    }

    // MARK: Suggestions

    /// Checks that whatever is suggested has what was typed, and finds something.
    private func judge(_ suggestions: [SearchSuggestion], for typed: String, _ question: SearchQuestion) {
        for suggestion in suggestions {
            world.marks[.suggested] += 1
            let hasWords = !plain.isBlank(typed)
            if !suggestion.isSound || hasWords && suggestion.typed.isEmpty {
                violate(.convergence, question, "marks other letters of “\(suggestion.text)” than were typed")
            }
            // Ended batches that are not merged may change the stored items.
            if !contents.store.isUnsettled(.index),
                plain.matches(suggestion.text, in: question.scope, at: question.now).isEmpty
            {
                violate(.noResurrection, question, "are “\(suggestion.text)”, which finds nothing")
            }
        }
        if Set(suggestions.map(\.text)).count < suggestions.count {
            violate(.bounds, question, "are the same twice")
        }
    }

    // MARK: Pages

    /// Begins to take pages of what a search finds.
    func beginPages(_ question: SearchQuestion, order: SearchOrder, pageMost: Int) {
        let search: PagedSearch
        switch question.kind {
        case .query(let query, _):
            search = PagedSearch(
                words: nil, query: query, order: order, most: question.most, pageMost: pageMost)
        case .words(let typed):
            search = PagedSearch(
                words: typed, query: question.scope.condition, order: order, most: question.most,
                pageMost: pageMost)
        case .suggestions: return
        }
        let (open, page) = contents.searchOn(limits) { (lasting) throws(StoreFailure) in
            try lasting.begin(question, search, among: plain)
        }
        judge(page, of: open, in: question.scope, at: question.now)
    }

    /// Takes the next page of a search, with the settings of now.
    func takePage(of open: OpenPages, appsOff: Set<String>) {
        var scope = open.question.scope
        (scope.appsOff, scope.kept) = (appsOff, plain.kept.searched)
        open.note(plain, in: scope, at: node.wallTime)
        let page = contents.searchOn(limits) { (lasting) throws(StoreFailure) in
            try lasting.next(of: open, in: scope, at: node.wallTime)
        }
        guard let page else {
            return violate(.acknowledgedIsKept, open.question, "has no further page, and did not say so")
        }
        judge(page, of: open, in: scope, at: node.wallTime)
    }

    private func judge(_ page: FoundPage, of open: OpenPages, in scope: SearchScope, at now: WallTime) {
        world.marks[.pagesTaken] += 1
        let question = open.question
        if let twice = open.show(page.things.map(\.identity)), page.coverage == .whole {
            violate(.noResurrection, question, "shows \(twice) on two pages")
        }
        guard page.coverage == .whole else { return open.forgetWanted() }
        let present = Dictionary(plain.shown(in: scope, at: now).map { ($0.identity, $0) }) { first, _ in
            first
        }
        for thing in page.things {
            let isSound =
                if let there = present[thing.identity] {
                    if case .query(let query, _) = question.kind { there.meets(query) } else { true }
                } else { false }
            if !isSound {
                violate(.noResurrection, question, "shows \(thing.told), which is not there any more")
            }
        }
        if case .words(let typed) = question.kind,
            page.corrected != nil || !hasAllActivities
                || !plain.looksForAll(typed, completions: limits.completions)
        {
            return open.forgetWanted()
        }
        guard page.isLast, open.shown.count < question.most else { return }
        for (identity, thing) in open.wanted where !open.shown.contains(identity) {
            violate(.acknowledgedIsKept, question, "shows \(thing.name) on none of its pages")
        }
    }

    // MARK: Telling

    private func violate(_ promise: Promise, _ question: SearchQuestion, _ what: String) {
        world.violate(
            promise, about: Violation.Subject(at: node), "the search at \(node.name) for \(question) \(what)")
    }

    private func told(_ answer: SearchQuestion.Answer) -> String {
        switch answer {
        case .found(let finding):
            "\(finding.things.map { "\($0.told) \($0.rank.map { "\($0.score)" } ?? "")" }) \(finding.coverage)"
                + (finding.corrected.map { ", corrected to “\($0)”" } ?? "")
        case .suggested(let suggestions): "\(suggestions.map { "\($0.kind) “\($0.text)”" })"
        }
    }
}

extension ShownThing {
    /// The record of the item or of the activity.
    var identity: RecordIdentity {
        if let item = thing.item { return item.name.key.identity }
        guard let hash = thing.activity.flatMap({ KeyHash(text: $0.identifier) }) else {
            preconditionFailure("a thing is an item or an activity")
        }
        return RecordIdentity(kind: .savedActivity, hash: hash)
    }

    fileprivate var told: String {
        thing.item.map { "\($0.app)/\($0.index)/\($0.identifier)" } ?? thing.activity?.identifier ?? "nothing"
    }
}
