import BatonCore
import BatonStore

extension ClientSession {
    /// Searches for items, until the client disconnects.
    func handle(_ call: SearchItems, by requests: Requests, _ answer: @escaping Answer<SearchReply>) {
        requests.search.find(call.text, most: call.most, in: requests.searchScope, for: searching) {
            answer(requests.reply(to: $0))
        }
    }

    /// Searches for items that meet a query, until the client disconnects.
    func handle(
        _ call: QueryItems, by requests: Requests, _ answer: @escaping Answer<SearchReply>
    ) throws(LocalFailure) {
        let query = try call.parsed()
        requests.search.find(
            query, app: call.app, most: call.most, in: requests.searchScope, for: searching
        ) {
            answer(requests.reply(to: $0))
        }
    }
}

/// Handles questions why a search shows something, or why it does not.
extension ClientSession {
    func handle(_ call: ExplainItem, by requests: Requests, _ answer: @escaping Answer<ExplanationReply>) {
        requests.search.explain(call, in: requests.searchScope, for: searching) { result in
            answer(result.map(ExplanationReply.init).mapError(Self.notExplained))
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
                requests.search.explain(call, in: requests.searchScope, for: searching) { result in
                    answer(
                        result.map { ExplanationReply([$0 ?? SearchExplanation(.unknown)]) }
                            .mapError(Self.notExplained))
                }
            }
        }
    }

    private static func notExplained(_ failure: StoreFailure) -> LocalFailure {
        LocalFailure(.storage, "Could not read what is searched: \(failure).")
    }
}

extension Requests {
    /// The facts of now that decide which things a search shows.
    var searchScope: SearchScope {
        SearchScope(
            kept: account.activities.kept, dismissals: account.allActivities.dismissals,
            appsOff: account.settings.apps(off: .search))
    }

    fileprivate func reply(
        to result: Result<SearchReader.Finding, StoreFailure>
    ) -> Result<SearchReply, LocalFailure> {
        result.map {
            SearchReply($0.things.map(self.result), isWhole: $0.isWhole, corrected: $0.corrected)
        }.mapError {
            LocalFailure(.storage, "Could not search: \($0).")
        }
    }

    /// Adds the devices to a thing that was found.
    private func result(_ found: SearchReader.Found) -> SearchResult {
        let devices = Set(found.devices + found.writers.compactMap(account.devices.device(of:)))
        return SearchResult(
            found.thing, rank: found.rank, devices: devices.sorted().map(account.devices.reference))
    }
}
