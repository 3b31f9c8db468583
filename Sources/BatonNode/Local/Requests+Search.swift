import BatonCore
import BatonStore

extension ClientSession {
    /// Searches for items, until the client disconnects.
    func handle(_ call: SearchItems, by requests: Requests, _ answer: @escaping Answer<SearchReply>) {
        requests.search.find(call.text, most: call.most, for: searching) { result in
            answer(
                result.map { SearchReply($0.items, isWhole: $0.isWhole) }.mapError {
                    LocalFailure(.storage, "Could not search the items: \($0).")
                })
        }
    }
}
