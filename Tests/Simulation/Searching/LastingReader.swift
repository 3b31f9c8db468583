import BatonCore
import BatonStore

/// A reader that lives through many changes of the store, and the searches of which further pages may be asked for.
final class LastingReader {
    let reader: SearchReader
    private(set) var pages: [OpenPages] = []
    private var lastNumber: UInt64 = 0

    /// The most searches that are open at once.
    private static let pagesMost = 3

    init(_ reader: SearchReader) { self.reader = reader }

    /// Begins a search of which a person takes a page now and others later.
    func begin(_ question: SearchQuestion, _ search: PagedSearch, among plain: PlainSearch)
        throws(StoreFailure)
        -> (open: OpenPages, page: FoundPage)
    {
        if pages.count >= Self.pagesMost { reader.end(pages.removeFirst().number) }
        lastNumber += 1
        let page = try reader.begin(lastNumber, search, at: question.now, in: question.scope)
        let open = OpenPages(lastNumber, question, among: plain)
        if !page.isLast { pages.append(open) }
        return (open, page)
    }

    /// Takes the next page; nil if the reader knows nothing of this search.
    func next(
        of open: OpenPages, in scope: SearchScope, at now: WallTime
    ) throws(StoreFailure) -> FoundPage? {
        let page = try reader.nextPage(open.number, at: now, in: scope)
        if page?.isLast ?? true { pages.removeAll { $0 === open } }
        return page
    }
}

/// A search whose pages a person takes while the index changes.
final class OpenPages {
    let number: UInt64
    let question: SearchQuestion
    /// The things that the search must show: those that it found at first and that have not changed since.
    private(set) var wanted: [RecordIdentity: PlainSearch.Thing]
    private(set) var shown: Set<RecordIdentity> = []

    fileprivate init(_ number: UInt64, _ question: SearchQuestion, among plain: PlainSearch) {
        (self.number, self.question) = (number, question)
        let found =
            switch question.kind {
            case .query(let query, _): plain.matches(query, in: question.scope, at: question.now)
            case .words(let typed), .suggestions(let typed):
                plain.matches(typed, in: question.scope, at: question.now)
            }
        wanted = Dictionary(found.map { ($0.identity, $0) }) { first, _ in first }
    }

    /// The things at the node have changed, or another scope is asked for.
    func note(_ plain: PlainSearch, in scope: SearchScope, at now: WallTime) {
        var left: [RecordIdentity: PlainSearch.Thing] = [:]
        for thing in plain.shown(in: scope, at: now) {
            if let before = wanted[thing.identity], thing.isUnchanged(since: before) {
                left[thing.identity] = thing
            }
        }
        wanted = left
    }

    /// The search can't tell whether it finds all.
    func forgetWanted() { wanted = [:] }

    /// The person sees these things; returns one that was there before.
    func show(_ things: [RecordIdentity]) -> RecordIdentity? { things.first { !shown.insert($0).inserted } }
}
