import BatonCore

/// Handles the client states of an app's indexes.
///
/// They are hidden while the app is asked to index everything again (`Reindexing`).
extension ClientSession {
    func getClientState(
        _ call: GetClientState, by requests: Requests, _ answer: @escaping Answer<ClientStateReply>
    ) {
        let reindexing = requests.account.reindexing
        requests.core.store.submit(to: .index) { [index = call.index] (store) throws(StoreFailure) in
            try store.shownState(of: index)?.state.state
        } then: { [identifier] result in
            let isHidden = reindexing.hidesState(of: call.index)
            if isHidden { reindexing.noteToldNoState(of: call.index, to: identifier) }
            answer(
                result.map { ClientStateReply(isHidden ? nil : $0) }.mapError {
                    LocalFailure(.storage, "Could not read the client state: \($0).")
                })
        }
    }

    /// Returns the failure if a batch expects a client state, but the client state of its index is hidden; nil
    /// otherwise.
    static func hiddenStateFailure(of ending: EndBatch, _ reindexing: Reindexing) -> LocalFailure? {
        guard ending.isConditional, ending.expected != nil, reindexing.hidesState(of: ending.index)
        else { return nil }
        return .otherState
    }

    /// Returns the client state that the store must have when a batch ends; nil if any client state is accepted.
    ///
    /// While the client state is hidden, an app that expects no client state is accepted, and begins anew.
    func expectedState(of ending: EndBatch, _ reindexing: Reindexing) -> IndexCondition.ExpectedState? {
        guard ending.isConditional else { return nil }
        guard reindexing.hidesState(of: ending.index) else {
            return IndexCondition.ExpectedState(ending.index, is: ending.expected)
        }
        reindexing.noteToldNoState(of: ending.index, to: identifier)
        return nil
    }

    /// Answers the end of a batch, after the client state that the batch has stored was noted.
    func answerEnd(
        _ result: Result<IndexReply, LocalFailure>, _ ending: EndBatch, _ requests: Requests,
        _ answer: @escaping Answer<IndexReply>
    ) {
        guard case .success = result, ending.state != nil else { return answer(result) }
        requests.account.reindexing.handleStored(stateOf: ending.index, by: identifier) { failure in
            if let failure {
                requests.core.log.warn("could not note that an app has begun to index again: \(failure)")
            }
            answer(result)
        }
    }
}
