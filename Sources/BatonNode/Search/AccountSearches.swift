import BatonCore
import BatonNetwork
import BatonSecurity
import BatonStore

/// The searches of an account: single searches, watched searches, and searches with pages.
final class AccountSearches {
    /// Performs searches in the store.
    let thread: SearchThread
    /// Performs searches in the store and, while there are any, in the opened items of protected indexes.
    let joined: JoinedSearches
    let view: SearchView
    /// Tells watchers of searches when the results have changed.
    let watchers: SearchWatchers
    /// The searches whose results are sent in pages.
    let pages: PagedSearches
    /// Gets vectors of texts from a program of the person, if such a program is connected.
    let meaning: Meaning
    private let account: AccountCore
    /// Opens and searches the items of protected indexes; nil until the account has such an item.
    private var opened: OpenedItems?
    private var isClosed = false

    init(_ thread: SearchThread, _ view: SearchView, of account: AccountCore, _ activities: OwnActivities) {
        self.thread = thread
        let joined = JoinedSearches(thread, log: account.log)
        self.joined = joined
        self.account = account
        self.view = view
        weak var learner: SearchWatchers?
        let meaning = Meaning(thread, of: account, activities) { learner?.noteChange() }
        let watchers = SearchWatchers(on: account.loop, limits: account.limits) {
            [unowned meaning] (call, wish, answer) in
            meaning.find(call.text) { vector in
                guard !wish.hasEnded else {
                    return answer(.failure(LocalFailure(.failed, "The search was ended.")))
                }
                let scope = view.scope(call.filter, meaning: vector)
                joined.find(call.text, most: call.most, in: scope, for: wish) { result in
                    let expiration =
                        if case .success(let finding) = result { finding.expiration } else { WallTime?.none }
                    answer(
                        view.reply(to: result, of: call.filter).map {
                            SearchWatchers.Results(reply: $0, expiration: expiration)
                        })
                }
            }
        }
        learner = watchers
        self.meaning = meaning
        self.watchers = watchers
        pages = PagedSearches(joined, view, meaning, on: account.loop, limits: account.limits)
    }

    /// Explains why a search shows items or does not show them, those of protected indexes included.
    func explain(
        _ call: ExplainItem, in scope: SearchScope, by sealing: ItemSealing?, for wish: SearchWish,
        then: @escaping (Result<[SearchExplanation], StoreFailure>) -> Void
    ) {
        let storedName: @Sendable (ItemName) -> ItemName = { sealing?.storedName(of: $0) ?? $0 }
        thread.explain(call, in: scope, storedName: storedName, for: wish) { [self] result in
            guard case .success(let sealed) = result, let opened,
                sealed.contains(where: \.isOfProtectedItem)
            else { return then(result) }
            opened.explain(call, in: scope, storedName: storedName, for: wish) { result in
                then(result.map { sealed.filter { !$0.isOfProtectedItem } + $0.filter(\.isOfProtectedItem) })
            }
        }
    }

    // MARK: Protected indexes

    /// Begins to open the items of protected indexes, unless this was done already or the content key is locked.
    func openProtected() {
        view.hasProtectedItems = true
        guard opened == nil, !isClosed, let key = account.credentials.contentKey else { return }
        do throws(NetworkError) {
            let opened = try OpenedItems(of: account, key: key) { [unowned self] in watchers.noteChange() }
            self.opened = opened
            joined.second = opened
            opened.noteChange()
        } catch {
            account.log.warn("can't open the items of protected indexes: \(error)")
        }
    }

    /// Called once the content key is unlocked.
    func handleUnlocking() {
        if view.hasProtectedItems { openProtected() }
        noteChange()
    }

    /// Called once the store has stored changes of the index; begins to open protected items with the first of them.
    func noteCommit(_ commit: StoreCommit) {
        if opened == nil, commit.changed.contains(where: \.isSealedItem) { return openProtected() }
        opened?.noteChange()
    }

    /// Called when search results may have changed.
    func noteChange() {
        watchers.noteChange()
        meaning.noteChange()
    }

    /// Ends all open searches, because the account stops.
    func close() {
        isClosed = true
        watchers.close()
        pages.close()
        joined.second = nil
        opened?.close()
        meaning.close()
    }
}

extension SearchExplanation {
    /// Whether the explanation is about an item of a protected index.
    fileprivate var isOfProtectedItem: Bool { index.map { IndexProtection(ofIndex: $0) != nil } ?? false }
}
