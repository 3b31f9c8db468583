import BatonCore
import BatonStore

extension ClientSession {
    /// Searches for items, until the client disconnects.
    func handle(_ call: SearchItems, by requests: Requests, _ answer: @escaping Answer<SearchReply>) {
        requests.search.find(call.text, most: call.most, for: searching) {
            answer(requests.reply(to: $0))
        }
    }

    /// Searches for items that meet a query, until the client disconnects.
    func handle(
        _ call: QueryItems, by requests: Requests, _ answer: @escaping Answer<SearchReply>
    ) throws(LocalFailure) {
        let query = try call.parsed()
        requests.search.find(query, app: call.app, most: call.most, for: searching) {
            answer(requests.reply(to: $0))
        }
    }
}

extension Requests {
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
        var devices = Set([found.device].compactMap(\.self))
        if let writer = found.writer.flatMap(account.devices.device(of:)) { devices.insert(writer) }
        return SearchResult(
            found.thing, rank: found.rank, devices: devices.sorted().map(account.devices.reference))
    }
}
