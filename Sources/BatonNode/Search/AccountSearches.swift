import BatonCore
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

    init(_ thread: SearchThread, _ view: SearchView, of account: AccountCore, _ activities: OwnActivities) {
        self.thread = thread
        let joined = JoinedSearches(thread, log: account.log)
        self.joined = joined
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
                        view.reply(to: result).map {
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

    /// Called when search results may have changed.
    func noteChange() {
        watchers.noteChange()
        meaning.noteChange()
    }

    /// Ends all open searches, because the account stops.
    func close() {
        watchers.close()
        pages.close()
        meaning.close()
    }
}
