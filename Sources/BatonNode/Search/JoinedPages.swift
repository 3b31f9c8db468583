import BatonCore
import BatonStore

/// Makes the pages of a search from the pages of two sources.
///
/// It asks no source itself. `fill` names the sources whose next page is needed, and `receive` takes such a page.
struct JoinedPages {
    let search: PagedSearch
    private(set) var first = Part()
    private(set) var second = Part()
    /// The page that is being made.
    private var page: [Entry] = []
    /// The number of results that were put into pages so far.
    private var count = 0
    private var known = KnownThings()
    /// Whether a source had no result yet after a bounded amount of work, so that the page ends early.
    private var endsEarly = false
    /// Whether it was decided which results are shown, because both sources have given their first page.
    private var hasChosen = false
    /// Whether a page was told.
    private var isTold = false

    enum Side { case first, second }

    /// The results of one source that no page has shown yet.
    struct Part {
        fileprivate(set) var things: ArraySlice<ShownThing> = []
        /// Whether the source was asked for its first page.
        fileprivate(set) var isBegun = false
        /// Whether the source has no further pages.
        fileprivate(set) var isLast = false
        /// Whether the results are not shown, because the other source has better ones.
        fileprivate(set) var isWithheld = false
        fileprivate(set) var coverage = SearchCoverage.whole
        fileprivate(set) var corrected: String?

        /// Whether the next result is known only when the source was asked for a further page.
        fileprivate var isDry: Bool { things.isEmpty && !isLast && !isWithheld }

        fileprivate var hasEnded: Bool { isWithheld || things.isEmpty && isLast }

        /// Whether the source holds results of the search, which must be released.
        var isHeld: Bool { isBegun && !isLast }

        /// The next result of the source that may be shown.
        fileprivate var next: ShownThing? { isWithheld ? nil : things.first }

        /// Whether the source has found something for the text as it was typed.
        fileprivate var hasTyped: Bool { corrected == nil && !(things.isEmpty && isLast) }
    }

    private struct Entry {
        let thing: ShownThing
        let isSecond: Bool
    }

    /// The number of bytes at which a page gets no further results, as in the pages of a store.
    private static let pageBytes = Limits.frameBytes / 2

    init(_ search: PagedSearch) { self.search = search }

    /// Whether the results of the first source come before those of the second one, in any order.
    private var isUnordered: Bool { search.words == nil && search.order == .found }

    private var order: ResultOrder { search.words == nil ? .query(.indexed) : .rank }

    // MARK: Making a page

    /// Leaves out results that were read before, and that may not be shown any more.
    mutating func renew(_ scope: SearchScope, at now: WallTime) {
        for side in [Side.first, .second] {
            change(side) { part in
                part.things.removeAll { thing in
                    scope.appsOff.contains(thing.thing.app) || thing.expiration.map { $0 <= now } ?? false
                }
            }
        }
    }

    /// Moves results into the page, and returns the sources that must be asked for their next page before further
    /// results can be moved.
    ///
    /// If there are none, the page is complete.
    mutating func fill() -> [Side] {
        if first.isBegun, second.isBegun, !hasChosen { chooseText() }
        var bytes = page.reduce(0) { $0 + $1.thing.byteCount }
        while page.count < search.pageMost, bytes < Self.pageBytes, count < search.most {
            let dry = drySides
            if !dry.isEmpty { return endsEarly ? [] : dry }
            let isSecond = isUnordered ? first.hasEnded : order.takesSecond(first.next, second.next)
            guard let taken = isSecond ? second.next : first.next else { break }
            change(isSecond ? .second : .first) { $0.things = $0.things.dropFirst() }
            guard known.add(taken.thing) else { continue }
            count += 1
            bytes += taken.byteCount
            page.append(Entry(thing: taken, isSecond: isSecond))
        }
        return []
    }

    private var drySides: [Side] {
        if isUnordered, !first.hasEnded { return first.isDry ? [.first] : [] }
        return (first.isDry ? [.first] : []) + (second.isDry ? [.second] : [])
    }

    /// Returns the complete page, and begins the next one.
    mutating func takePage() -> FoundPage {
        defer { (page, endsEarly, isTold) = ([], false, true) }
        let shown = [first, second].filter { !$0.isWithheld }
        return FoundPage(
            things: page.map(\.thing), isLast: count >= search.most || shown.allSatisfy(\.hasEnded),
            coverage: first.coverage.worse(second.coverage),
            corrected: shown.lazy.compactMap(\.corrected).first)
    }

    // MARK: The sources

    /// Notes that a source is asked; returns whether it is asked for its first page.
    mutating func ask(_ side: Side) -> Bool {
        change(side) { part in
            defer { part.isBegun = true }
            return !part.isBegun
        }
    }

    /// Takes the next page of a source.
    mutating func receive(_ found: FoundPage, from side: Side) {
        if found.things.isEmpty, !found.isLast { endsEarly = true }
        change(side) { part in
            part.things += found.things
            (part.isLast, part.coverage, part.corrected) = (found.isLast, found.coverage, found.corrected)
        }
    }

    /// Decides which results are shown, if a source has corrected the text.
    private mutating func chooseText() {
        hasChosen = true
        let chosen = TextChoice(
            (first.things.first, first.corrected, first.hasTyped),
            (second.things.first, second.corrected, second.hasTyped))
        (first.isWithheld, second.isWithheld) = (!chosen.takesFirst, !chosen.takesSecond)
    }

    /// Goes on without the second source, because it has failed.
    mutating func failSecond() { (second.isLast, second.coverage) = (true, .partial) }

    /// Goes on without the second source, because it has gone away.
    ///
    /// Its results are secret from now on. Those that no page has told yet are dropped. If its results have replaced
    /// those of the first source, but none was told, the results of the first source are shown after all.
    mutating func leaveSecond() {
        for entry in page where entry.isSecond { known.remove(entry.thing.thing) }
        count -= page.count(where: \.isSecond)
        page.removeAll(where: \.isSecond)
        second = Part()
        (second.isBegun, second.isLast) = (true, true)
        if !isTold { first.isWithheld = false }
    }

    private mutating func change<Value>(_ side: Side, _ body: (inout Part) -> Value) -> Value {
        switch side {
        case .first: body(&first)
        case .second: body(&second)
        }
    }
}

/// Decides which of two sources show their results, if they have searched for corrections of a typed text.
///
/// The results of a correction count only if no source has found the typed text. If both sources have corrected the
/// text in different ways, the correction whose best result ranks higher counts.
struct TextChoice {
    let takesFirst, takesSecond: Bool

    /// The answer of a source: the best result, the correction if the text was corrected, and whether the source has
    /// found something for the typed text.
    typealias Found = (best: ShownThing?, corrected: String?, hasTyped: Bool)

    init(_ first: Found, _ second: Found) {
        if first.hasTyped || second.hasTyped {
            (takesFirst, takesSecond) = (first.corrected == nil, second.corrected == nil)
        } else if let one = first.corrected, let other = second.corrected, one != other {
            takesSecond = ResultOrder.rank.takesSecond(first.best, second.best)
            takesFirst = !takesSecond
        } else {
            (takesFirst, takesSecond) = (true, true)
        }
    }
}

extension SearchCoverage {
    /// Returns the coverage of a search in two sources, which is whole only if both are.
    func worse(_ other: SearchCoverage) -> SearchCoverage { self == .whole ? other : self }
}
