import BatonCore

/// Tells apps to index their content again.
///
/// An app is told as soon as it asks, and until it has acknowledged the request.
final class Reindexing {
    private var requests: ReindexRequests
    private let store: StoreThreads
    /// For each index, the connections to which a request was sent and that have not acknowledged it.
    private var told: [ClientStateName: Told] = [:]
    private var waiting: [Waiter] = []
    /// The connections that were told that an index has no client state, for each index.
    ///
    /// A new request to index everything removes the connections.
    private var toldNoState: [ClientStateName: Set<ObjectIdentifier>] = [:]

    /// A connection of an app that waits for requests about some indexes.
    private struct Waiter {
        let session: ObjectIdentifier
        let indexes: [ClientStateName]
        let answer: Answer<ReindexingReply>
    }

    /// The connections of an index's app to which a request was sent, each with the requests that were made since then.
    ///
    /// Connections differ. For example, one instance of an app may acknowledge a request and get a newer request. If a
    /// slow instance then acknowledges the old request, the newer request must remain.
    private struct Told {
        /// The connections that have not acknowledged the request that was sent to them.
        ///
        /// The value is the requests that were made since then; nil if there were none.
        var connections: [ObjectIdentifier: ReindexRequest.Extent?] = [:]
        /// The joined later requests of connections that have ended.
        ///
        /// Their app may acknowledge a request over another connection.
        var ended: ReindexRequest.Extent??

        /// Adds a request that was sent to no connection yet.
        mutating func recordRequest(_ request: ReindexRequest) {
            for key in connections.keys { connections[key] = .some(request.joined(connections[key] ?? nil)) }
            if let since = ended { ended = .some(request.joined(since)) }
        }

        /// Handles the end of a connection.
        mutating func forget(_ session: ObjectIdentifier) {
            guard let since = connections.removeValue(forKey: session) else { return }
            guard let extent = since else {
                ended = .some(ended ?? nil)
                return
            }
            ended = .some(ReindexRequest(extent, of: nil).joined(ended ?? nil))
        }

        /// Returns the requests that an acknowledgement over this connection does not cover.
        ///
        /// If no request was sent to this connection, these are the later requests of all connections together.
        func since(_ session: ObjectIdentifier) -> ReindexRequest.Extent? {
            if let own = connections[session] { return own }
            return ([ended ?? nil] + connections.values).reduce(nil) { joined, extent in
                extent.map { ReindexRequest($0, of: nil).joined(joined) } ?? joined
            }
        }

        /// Handles an acknowledgement over a connection.
        mutating func handleAcknowledgement(by session: ObjectIdentifier) {
            if connections.removeValue(forKey: session) == nil { ended = nil }
        }

        var isOver: Bool { connections.isEmpty && ended == nil }
    }

    init(_ notes: [LocalNote], store: StoreThreads) {
        (requests, self.store) = (ReindexRequests(notes), store)
    }

    /// Replaces the requests with those that the store has after a rescue.
    func restoreNotes(_ notes: [LocalNote]) {
        (requests, toldNoState) = (ReindexRequests(notes), [:])
        tellWaiting()
    }

    /// Answers the waiting calls for which there is a request now.
    private func tellWaiting() { waiting = waiting.filter { !tell($0) } }

    /// Answers once there is a request about one of these indexes.
    ///
    /// If an earlier call of the connection still waits, that call is answered as replaced.
    func await(
        _ call: AwaitReindexing, by session: ObjectIdentifier, _ answer: @escaping Answer<ReindexingReply>
    ) {
        for earlier in waiting where earlier.session == session { earlier.answer(.success(.replaced)) }
        waiting.removeAll { $0.session == session }
        let waiter = Waiter(session: session, indexes: call.indexes, answer: answer)
        if !tell(waiter) { waiting.append(waiter) }
    }

    /// Handles the end of a connection, and drops its waiting calls.
    func forget(_ session: ObjectIdentifier) {
        waiting.removeAll { $0.session == session }
        for index in told.keys { told[index]?.forget(session) }
        for index in toldNoState.keys {
            toldNoState[index]?.remove(session)
            if toldNoState[index]?.isEmpty == true { toldNoState[index] = nil }
        }
    }

    /// Removes and returns the waiting calls of a connection, because another state of the account replaces the store.
    func takeBack(_ session: ObjectIdentifier) -> [(call: AwaitReindexing, answer: Answer<ReindexingReply>)] {
        defer { forget(session) }
        return waiting.filter { $0.session == session }.map { (AwaitReindexing($0.indexes), $0.answer) }
    }

    /// Returns the requests about an app's indexes.
    ///
    /// The result has the given indexes, and all other indexes of the app about which there is a request.
    ///
    /// `filled` has the names of the indexes that have items.
    func status(of app: String, _ indexes: [String], filled: [String]) -> [AppIndexStatus] {
        let requested = requests.known.compactMap { $0.index?.app == app ? $0.index?.index : nil }
        var names: [String] = []
        for name in indexes + requested where !names.contains(name) { names.append(name) }
        return names.map { name in
            let index = ClientStateName(app: app, index: name)
            return AppIndexStatus(
                name, reindexing: requests.request(for: index)?.extent,
                isHeard: told[index]?.connections.isEmpty == false
                    || waiting.contains { $0.indexes.contains(index) }, hasItems: filled.contains(name))
        }
    }

    /// Answers with the first request about one of the waiter's indexes that was not sent to the connection yet.
    ///
    /// Returns false if there is no such request.
    private func tell(_ waiter: Waiter) -> Bool {
        for index in waiter.indexes {
            guard let request = requests.request(for: index),
                told[index]?.connections[waiter.session] == nil
            else { continue }
            told[index, default: Told()].connections[waiter.session] = .some(nil)
            waiter.answer(.success(ReindexingReply(index, request.extent)))
            return true
        }
        return false
    }

    /// Adds a request that a person made.
    ///
    /// The answer comes once the request is stored.
    func request(_ request: ReindexRequest, _ answer: @escaping Answer<Done>) {
        var all = requests
        var transaction = StoreTransaction(lane: .index, writes: [], completing: VersionVector())
        transaction.notes = [all.add(request)]
        forgetToldNoState(of: request.index)
        store.submit(to: .index) { [transaction] (store) throws(StoreFailure) in
            try store.commit(transaction)
        } then: { [self] result in
            switch result {
            case .success:
                _ = requests.add(request)
                forgetToldNoState(of: request.index)
                if let index = request.index { told[index]?.recordRequest(request) }
                answer(.success(Done()))
                tellWaiting()
            case .failure(let failure):
                answer(.failure(LocalFailure(saving: "the request", failure, "Nothing has changed.")))
            }
        }
    }

    /// Handles an app's acknowledgement that it has indexed again.
    func acknowledge(
        _ done: ReindexRequest, by session: ObjectIdentifier, _ answer: @escaping Answer<IndexReply>
    ) {
        var rest = requests
        var transaction = StoreTransaction(lane: .index, writes: [], completing: VersionVector())
        transaction.notes = rest.acknowledge(done)
        // An acknowledgement does not cover requests that were made after the app was told.
        let later = done.index.flatMap { index in
            told[index]?.since(session).map { ReindexRequest($0, of: index) }
        }
        if let later, !transaction.notes.isEmpty { transaction.notes.append(rest.add(later)) }
        guard !transaction.notes.isEmpty else {
            noteAcknowledgement(of: done, by: session)
            return answer(.success(IndexReply(passedOver: 0)))
        }
        store.submit(to: .index) { [transaction] (store) throws(StoreFailure) in
            try store.commit(transaction)
        } then: { [self] result in
            switch result {
            case .success:
                _ = requests.acknowledge(done)
                if let later { _ = requests.add(later) }
                noteAcknowledgement(of: done, by: session)
                answer(.success(IndexReply(passedOver: 0)))
            case .failure(let failure):
                answer(
                    .failure(
                        LocalFailure(saving: "the answer", failure, "You will be asked again.")))
            }
        }
    }

    /// Removes a connection from those that must acknowledge a request.
    ///
    /// If a request remains, the app is told of it when it asks next.
    private func noteAcknowledgement(of done: ReindexRequest, by session: ObjectIdentifier) {
        guard let index = done.index else { return }
        told[index]?.handleAcknowledgement(by: session)
        if told[index]?.isOver == true { told[index] = nil }
    }
}

// MARK: Client states

/// Decides when an index's client state is shown.
///
/// A client state means that everything that its app had indexed by that time is stored. While a request to index
/// everything is open, the client state of an index is hidden, because the app may have stored it after changes that
/// were lost.
///
/// A connection that was told that there is no client state begins anew. The client state that it stores next is shown,
/// even before the app acknowledges the request. A connection that was not told so continues from what its app knew
/// earlier. Therefore, the client states that it stores stay hidden.
///
///     a request for everything ──▶ hidden ──told no state, then stored one──▶ shown
///                                     └──acknowledged──▶ shown
extension Reindexing {
    /// Whether an index's client state is hidden at the moment.
    func hidesState(of index: ClientStateName) -> Bool { requests.hidesState(of: index) }

    /// Records that a connection is told that an index has no client state.
    func noteToldNoState(of index: ClientStateName, to session: ObjectIdentifier) {
        guard hidesState(of: index) else { return }
        // A connection that is removed here must read the client state again before the client state that it stores is
        // shown.
        if toldNoState[index] == nil, toldNoState.count >= Limits.watchedIndexes { toldNoState = [:] }
        toldNoState[index, default: []].insert(session)
    }

    private func forgetToldNoState(of index: ClientStateName?) {
        if let index { toldNoState[index] = nil } else { toldNoState = [:] }
    }

    /// Handles a client state that a connection has stored, and shows the client state if the connection has begun
    /// anew.
    ///
    /// The closure is called once that is stored, or with the reason why the client state stays hidden.
    func handleStored(
        stateOf index: ClientStateName, by session: ObjectIdentifier,
        then: @escaping (StoreFailure?) -> Void
    ) {
        var all = requests
        guard toldNoState[index]?.contains(session) == true, let note = all.beginAnew(index) else {
            return then(nil)
        }
        var transaction = StoreTransaction(lane: .index, writes: [], completing: VersionVector())
        transaction.notes = [note]
        store.submit(to: .index) { [transaction] (store) throws(StoreFailure) in
            try store.commit(transaction)
        } then: { [self] result in
            switch result {
            case .success:
                if toldNoState.removeValue(forKey: index) != nil { _ = requests.beginAnew(index) }
                then(nil)
            case .failure(let failure): then(failure)
            }
        }
    }
}

extension ReindexRequest {
    /// Returns the extent of this request, joined with another extent if there is one.
    fileprivate func joined(_ other: Extent?) -> Extent {
        guard let other else { return extent }
        var joined = self
        joined.join(other)
        return joined.extent
    }
}
