import BatonCore
import BatonStore

extension ClientSession {
    /// Suggests texts that the person may want to search for.
    ///
    /// The work ends early if the client disconnects.
    func suggestSearches(
        _ call: SuggestSearches, by requests: Requests, _ answer: @escaping Answer<SuggestionsReply>
    ) {
        let scope = requests.searches.view.scope(SearchFilter(app: call.app))
        requests.searches.joined.suggest(
            call.text, most: call.most, in: scope,
            except: requests.core.settings.apps(off: .suggestions), for: searching
        ) { result in
            answer(
                result.map(SuggestionsReply.init).mapError {
                    LocalFailure(.storage, "Could not look for suggestions: \($0).")
                })
        }
    }
}

extension Requests {
    func rememberSearch(_ call: RememberSearch, _ answer: @escaping Answer<Done>) {
        change(
            { (lane) throws(StoreFailure) in
                try lane.remember(search: call.text, in: call.app, at: .now)
            }, answer)
    }

    func forgetSearches(_ call: ForgetSearches, _ answer: @escaping Answer<Done>) {
        change({ (lane) throws(StoreFailure) in try lane.forgetSearches(call.text) }, answer)
    }

    /// Changes the remembered searches.
    private func change(
        _ work: @escaping @Sendable (SQLiteLane) throws(StoreFailure) -> Void,
        _ answer: @escaping Answer<Done>
    ) {
        core.store.submit(to: .index) { (store) throws(StoreFailure) in
            guard let lane = store as? SQLiteLane else { return }
            try work(lane)
        } then: { result in
            answer(
                result.map { Done() }.mapError {
                    LocalFailure(.storage, "Could not change the searches that are remembered: \($0).")
                })
        }
    }
}
