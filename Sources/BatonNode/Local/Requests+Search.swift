import BatonCore
import BatonStore

extension ClientSession {
    /// Searches for items, until the client disconnects.
    func handle(_ call: SearchItems, by requests: Requests, _ answer: @escaping Answer<SearchReply>) {
        requests.search.find(call.text, most: call.most, for: searching) { answer(Self.reply(to: $0)) }
    }

    /// Searches for items that meet a query, until the client disconnects.
    func handle(
        _ call: QueryItems, by requests: Requests, _ answer: @escaping Answer<SearchReply>
    ) throws(LocalFailure) {
        let query = try call.parsed()
        requests.search.find(query, app: call.app, most: call.most, for: searching) {
            answer(Self.reply(to: $0))
        }
    }

    private static func reply(
        to result: Result<SearchReader.Finding, StoreFailure>
    ) -> Result<SearchReply, LocalFailure> {
        result.map { SearchReply($0.items, isWhole: $0.isWhole, corrected: $0.corrected) }.mapError {
            LocalFailure(.storage, "Could not search the items: \($0).")
        }
    }
}
