import BatonCore
import BatonStore

extension ClientSession {
    /// Searches for a text.
    ///
    /// The search ends early if the client disconnects, or starts a search that replaces this one.
    func searchItems(_ call: SearchItems, by requests: Requests, _ answer: @escaping Answer<SearchReply>) {
        let wish = wish(replacingEarlier: call.replacesEarlier)
        requests.searches.meaning.find(call.text) { meaning in
            let scope = requests.searches.view.scope(call.filter, meaning: meaning)
            requests.searches.joined.find(call.text, most: call.most, in: scope, for: wish) { result in
                answer(requests.searches.view.reply(to: result, of: call.filter))
            }
        }
    }

    /// Searches for items that match a query.
    ///
    /// The search ends early if the client disconnects.
    func queryItems(
        _ call: QueryItems, by requests: Requests, _ answer: @escaping Answer<SearchReply>
    ) throws(LocalFailure) {
        let (query, sorting) = (try call.parsed(), try call.order())
        let scope = requests.searches.view.scope(call.filter)
        requests.searches.joined.find(
            query, most: call.most, sorting: sorting, in: scope, for: searching
        ) { result in
            answer(requests.searches.view.reply(to: result, of: call.filter))
        }
    }
}

/// Handles searches whose results are sent in pages.
extension ClientSession {
    func beginSearch(
        _ call: BeginSearch, by requests: Requests, _ answer: @escaping Answer<SearchPage>
    ) throws(LocalFailure) {
        try pages(of: requests).begin(call, by: identifier, answer)
    }

    func nextPage(
        _ call: NextPage, by requests: Requests, _ answer: @escaping Answer<SearchPage>
    ) throws(LocalFailure) {
        try pages(of: requests).next(call, by: identifier, answer)
    }

    func endSearch(_ call: EndSearch, by requests: Requests, _ answer: Answer<Done>) {
        pages(of: requests).end(call.search, by: identifier)
        answer(.success(Done()))
    }
}

extension ClientSession {
    /// Accepts vectors of texts.
    ///
    /// Answers once there are further texts that need vectors.
    func awaitTexts(
        _ call: AwaitTexts, by requests: Requests, _ answer: @escaping Answer<TextsReply>
    ) throws(LocalFailure) {
        meaning = requests.searches.meaning
        try requests.searches.meaning.awaitTexts(call, by: identifier, answer)
    }
}

/// Answers questions why a search shows something or does not show it.
extension ClientSession {
    func explainItem(_ call: ExplainItem, by requests: Requests, _ answer: @escaping Answer<ExplanationReply>)
    {
        let searches = requests.searches
        searches.meaning.find(call.words ?? "") { [searching] meaning in
            let sealing = requests.core.itemSealing
            searches.explain(
                call, in: searches.view.scope(meaning: meaning), by: sealing, for: searching
            ) { result in
                // An item of a protected index is known under a name that only the content key tells.
                if sealing == nil, searches.view.hasProtectedItems, case .success(let known) = result,
                    known.allSatisfy({ $0.outcome == .unknown })
                {
                    return answer(.failure(requests.core.locked("An item of a protected index")))
                }
                answer(result.map(ExplanationReply.init).mapError(Self.notExplained))
            }
        }
    }

    func explainActivity(
        _ call: ExplainActivity, by requests: Requests, _ answer: @escaping Answer<ExplanationReply>
    ) {
        let account = requests.account
        account.allActivities.read { (reader) throws(StoreFailure) in
            try reader.identified(call.identifier)
        } then: { [searching] result in
            switch result {
            case .failure(let failure): answer(.failure(failure))
            case .success(let current?):
                answer(.success(ExplanationReply([account.allActivities.explanation(of: current)])))
            case .success(nil):
                requests.searches.meaning.find(call.words ?? "") { meaning in
                    let scope = requests.searches.view.scope(meaning: meaning)
                    requests.searches.thread.explain(call, in: scope, for: searching) { result in
                        answer(
                            result.map { ExplanationReply([$0 ?? SearchExplanation(.unknown)]) }
                                .mapError(Self.notExplained))
                    }
                }
            }
        }
    }

    /// Reports the number of items of an app, and the state of its indexes.
    func examineApp(_ call: ExamineApp, by requests: Requests, _ answer: @escaping Answer<AppItemsReply>) {
        let reindexing = requests.account.reindexing
        requests.searches.thread.examine(call.app, for: searching) { result in
            answer(
                result.map { items in
                    AppItemsReply(
                        items.count, expired: items.expired,
                        in: reindexing.status(
                            of: call.app, items.indexes + call.indexes, filled: items.filled))
                }.mapError(Self.notExplained))
        }
    }

    private static func notExplained(_ failure: StoreFailure) -> LocalFailure {
        LocalFailure(.storage, "Could not read what is searched: \(failure).")
    }
}

extension Requests {
    /// Finds an item by its name, even if searches don't show it.
    func findItem(_ call: FindItem, _ answer: @escaping Answer<SearchReply>) throws(LocalFailure) {
        let now = WallTime.now
        let name = try core.storedName(of: call.item)
        core.store.read(from: .index) { [identity = name.key.identity] (store) throws(StoreFailure) in
            try store.record(identity)
        } then: { [core] result in
            switch result {
            case .failure(let failure):
                answer(.failure(LocalFailure(.storage, "Could not read the item: \(failure).")))
            case .success(let record):
                guard let record, !record.isExpired(at: now), let content = record.content else {
                    return answer(.success(SearchReply([], isWhole: true)))
                }
                do throws(LocalFailure) {
                    let shown =
                        name.isProtected ? try core.demandItemSealing().shown(content, of: name) : content
                    let item = FoundItem(name, shown)
                    let device = core.names.device(of: record.incarnation.life)
                    let devices = device.map { [core.names.reference($0)] } ?? []
                    answer(
                        .success(SearchReply([SearchResult(.item(item), devices: devices)], isWhole: true)))
                } catch {
                    answer(.failure(error))
                }
            }
        }
    }
}
