import BatonCore
import BatonStore

extension ClientSession {
    /// Looks for items, for as long as the client waits.
    func handle(_ call: SearchItems, by requests: Requests, _ answer: @escaping Answer<SearchReply>) {
        requests.search.find(call.text, most: call.most, for: searching) { result in
            answer(
                result.map { SearchReply($0.items, isWhole: $0.isWhole) }.mapError {
                    LocalFailure(.storage, "The items could not be searched: \($0).")
                })
        }
    }
}
