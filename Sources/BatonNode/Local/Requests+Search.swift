import BatonCore
import BatonStore

extension ClientSession {
    /// Searches for things, until the client disconnects or searches for something else instead.
    func handle(_ call: SearchItems, by requests: Requests, _ answer: @escaping Answer<SearchReply>) {
        let wish = wish(replacingEarlier: call.replacesEarlier)
        requests.meaning.find(call.text) { meaning in
            var scope = Requests.searchScope(of: requests.account, call.filter)
            scope.meaning = meaning
            requests.search.find(call.text, most: call.most, in: scope, for: wish) { result in
                answer(Requests.reply(to: result, in: requests.account))
            }
        }
    }

    /// Searches for items that meet a query, until the client disconnects.
    func handle(
        _ call: QueryItems, by requests: Requests, _ answer: @escaping Answer<SearchReply>
    ) throws(LocalFailure) {
        let query = try call.parsed()
        let scope = Requests.searchScope(of: requests.account, call.filter)
        requests.search.find(query, most: call.most, in: scope, for: searching) { result in
            answer(Requests.reply(to: result, in: requests.account))
        }
    }
}

/// Handles searches whose results come in pages.
extension ClientSession {
    func handle(
        _ call: BeginSearch, by requests: Requests, _ answer: @escaping Answer<SearchPage>
    ) throws(LocalFailure) {
        try pages(of: requests).begin(call, by: identifier, answer)
    }

    func handle(
        _ call: NextPage, by requests: Requests, _ answer: @escaping Answer<SearchPage>
    ) throws(LocalFailure) {
        try pages(of: requests).next(call, by: identifier, answer)
    }

    func handle(_ call: EndSearch, by requests: Requests, _ answer: Answer<Done>) {
        pages(of: requests).end(call.search, by: identifier)
        answer(.success(Done()))
    }
}

extension ClientSession {
    /// Takes vectors of texts, and answers once there are further texts.
    func handle(
        _ call: AwaitTexts, by requests: Requests, _ answer: @escaping Answer<TextsReply>
    ) throws(LocalFailure) {
        meaning = requests.meaning
        try requests.meaning.handle(call, by: identifier, answer)
    }
}

/// Handles questions why a search shows something, or why it does not.
extension ClientSession {
    func handle(_ call: ExplainItem, by requests: Requests, _ answer: @escaping Answer<ExplanationReply>) {
        requests.meaning.find(call.words ?? "") { [searching] meaning in
            requests.search.explain(call, in: requests.searchScope(meaning), for: searching) { result in
                answer(result.map(ExplanationReply.init).mapError(Self.notExplained))
            }
        }
    }

    func handle(
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
                requests.meaning.find(call.words ?? "") { meaning in
                    let scope = requests.searchScope(meaning)
                    requests.search.explain(call, in: scope, for: searching) { result in
                        answer(
                            result.map { ExplanationReply([$0 ?? SearchExplanation(.unknown)]) }
                                .mapError(Self.notExplained))
                    }
                }
            }
        }
    }

    /// Reports the items and indexes of an app.
    func handle(_ call: ExamineApp, by requests: Requests, _ answer: @escaping Answer<AppItemsReply>) {
        let reindexing = requests.account.reindexing
        requests.search.examine(call.app, for: searching) { result in
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
    /// Returns the facts of now that decide which things a search shows whose words have this meaning.
    func searchScope(_ meaning: Embedding?) -> SearchScope {
        var scope = Self.searchScope(of: account, SearchFilter())
        scope.meaning = meaning
        return scope
    }

    /// Returns the facts of now that decide which things a search shows, with the things that it is limited to.
    static func searchScope(of account: AccountNode, _ filter: SearchFilter) -> SearchScope {
        let dismissals = account.allActivities.dismissals
        return SearchScope(
            kept: account.activities.kept.searched,
            current: account.activities.searched { dismissals.hide($0, $1) }, dismissals: dismissals,
            appsOff: account.settings.apps(off: .search), filter: filter)
    }

    /// Finds an item by its name, whether or not a search shows it.
    func handle(_ call: FindItem, _ answer: @escaping Answer<SearchReply>) {
        let now = WallTime.now
        account.store.read(from: .index) { [identity = call.item.key.identity] (store) throws(StoreFailure) in
            try store.record(identity)
        } then: { [account] result in
            answer(
                result.map { record in
                    guard let record, !record.isExpired(at: now), let item = FoundItem(record) else {
                        return SearchReply([], isWhole: true)
                    }
                    let device = account.devices.device(of: record.incarnation.life)
                    let devices = device.map { [account.devices.reference($0)] } ?? []
                    return SearchReply([SearchResult(.item(item), devices: devices)], isWhole: true)
                }.mapError { LocalFailure(.storage, "Could not read the item: \($0).") })
        }
    }

    /// Makes the reply of what a search has found.
    static func reply(
        to result: Result<SearchReader.Finding, StoreFailure>, in account: AccountNode
    ) -> Result<SearchReply, LocalFailure> {
        result.map {
            SearchReply(
                $0.things.map { Self.result($0, in: account) }, isWhole: $0.isWhole && !account.awaitsItems(),
                corrected: $0.corrected)
        }.mapError {
            LocalFailure(.storage, "Could not search: \($0).")
        }
    }

    /// Adds the devices to a thing that was found.
    static func result(_ found: SearchReader.Found, in account: AccountNode) -> SearchResult {
        let devices = Set(found.devices + found.writers.compactMap(account.devices.device(of:)))
        return SearchResult(
            found.thing, rank: found.rank, devices: devices.sorted().map(account.devices.reference),
            snippet: found.snippet, attributes: found.attributes)
    }
}
