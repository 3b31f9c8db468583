import BatonCore

/// Tells apps what to index again, as soon as they ask and until each app has acknowledged it.
final class Reindexing {
    private var requests: ReindexRequests
    private let store: StoreThreads
    /// The indexes whose apps have not acknowledged a request that they were told.
    private var told: [ClientStateName: Told] = [:]
    private var waiting: [Waiter] = []
    /// The connections that were told that an index has no client state, since the last request to index everything.
    private var toldNoState: [ClientStateName: Set<ObjectIdentifier>] = [:]

    /// A connection of an app that waits for requests about some indexes.
    private struct Waiter {
        let session: ObjectIdentifier
        let indexes: [ClientStateName]
        let answer: Answer<ReindexingReply>
    }

    /// For each connection of an index's app, the requests since the connection was told one; nil if there were none.
    ///
    /// Connections differ: after one instance of an app has acknowledged a request and was told a newer one, a slow
    /// instance may acknowledge the old request, and the newer one must stay.
    private struct Told {
        /// The connections that have not acknowledged what they were told, with the requests since then.
        var connections: [ObjectIdentifier: ReindexRequest.Extent?] = [:]
        /// The joined requests of connections that have ended: their app may acknowledge over another connection.
        var ended: ReindexRequest.Extent??

        /// Adds a request that no connection was told yet.
        mutating func recordRequest(_ request: ReindexRequest) {
            for key in connections.keys { connections[key] = .some(request.joined(connections[key] ?? nil)) }
            if let since = ended { ended = .some(request.joined(since)) }
        }

        /// Notes that a connection has ended.
        mutating func forget(_ session: ObjectIdentifier) {
            guard let since = connections.removeValue(forKey: session) else { return }
            guard let extent = since else {
                ended = .some(ended ?? nil)
                return
            }
            ended = .some(ReindexRequest(extent, of: nil).joined(ended ?? nil))
        }

        /// Returns the requests that an acknowledgement over this connection does not cover; for a connection that was
        /// told nothing, the requests since any connection was told one.
        func since(_ session: ObjectIdentifier) -> ReindexRequest.Extent? {
            if let own = connections[session] { return own }
            return ([ended ?? nil] + connections.values).reduce(nil) { joined, extent in
                extent.map { ReindexRequest($0, of: nil).joined(joined) } ?? joined
            }
        }

        /// Notes an acknowledgement.
        mutating func handleAcknowledgement(by session: ObjectIdentifier) {
            if connections.removeValue(forKey: session) == nil { ended = nil }
        }

        var isOver: Bool { connections.isEmpty && ended == nil }
    }

    init(_ notes: [LocalNote], store: StoreThreads) {
        (requests, self.store) = (ReindexRequests(notes), store)
    }

    /// Adds the requests that the store makes after a rescue.
    func restoreNotes(_ notes: [LocalNote]) {
        (requests, toldNoState) = (ReindexRequests(notes), [:])
        tellWaiting()
    }

    /// Answers the waiting calls for which there is a request now.
    private func tellWaiting() { waiting = waiting.filter { !tell($0) } }

    /// Answers once a request about one of these indexes exists; an earlier waiting call of the connection is answered
    /// as replaced.
    func await(
        _ call: AwaitReindexing, by session: ObjectIdentifier, _ answer: @escaping Answer<ReindexingReply>
    ) {
        for earlier in waiting where earlier.session == session { earlier.answer(.success(.replaced)) }
        waiting.removeAll { $0.session == session }
        let waiter = Waiter(session: session, indexes: call.indexes, answer: answer)
        if !tell(waiter) { waiting.append(waiter) }
    }

    /// Drops the waiting calls of a connection that has ended.
    func forget(_ session: ObjectIdentifier) {
        waiting.removeAll { $0.session == session }
        for index in told.keys { told[index]?.forget(session) }
        for index in toldNoState.keys {
            toldNoState[index]?.remove(session)
            if toldNoState[index]?.isEmpty == true { toldNoState[index] = nil }
        }
    }

    /// Removes and returns the waiting calls of a connection, because another state replaces the store.
    func takeBack(_ session: ObjectIdentifier) -> [(call: AwaitReindexing, answer: Answer<ReindexingReply>)] {
        defer { forget(session) }
        return waiting.filter { $0.session == session }.map { (AwaitReindexing($0.indexes), $0.answer) }
    }

    /// Returns what is requested of an app's indexes: of the given ones and of all others that have a request.
    ///
    /// `filled` names the indexes that have items.
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

    /// Answers with the first request about one of the indexes that the connection was not told; returns false if there
    /// is none.
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

    /// Adds a request that a person made; answered once it is stored.
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

    /// Notes that the app has done what it was asked for.
    func acknowledge(
        _ done: ReindexRequest, by session: ObjectIdentifier, _ answer: @escaping Answer<IndexReply>
    ) {
        var rest = requests
        var transaction = StoreTransaction(lane: .index, writes: [], completing: VersionVector())
        transaction.notes = rest.acknowledge(done)
        // A request that was made after the app was told is not covered by this acknowledgement.
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

    /// Notes that a connection has acknowledged what it was told; it asks again if it still waits.
    private func noteAcknowledgement(of done: ReindexRequest, by session: ObjectIdentifier) {
        guard let index = done.index else { return }
        told[index]?.handleAcknowledgement(by: session)
        if told[index]?.isOver == true { told[index] = nil }
    }
}

// MARK: Client states

/// A client state says: everything that its app had indexed by that time is stored. While a request for everything is
/// open, an index's client state is hidden, because the app may have stored it after changes that were lost.
///
/// A connection that was told that there is no state begins anew, and the state that it stores next is shown, whether
/// or not it acknowledges the request later. Until then, everything from the connection continues from what the app
/// knew before.
///
///     a request for everything ──▶ hidden ──told no state, then stored one──▶ shown
///                                     └──acknowledged──▶ shown
extension Reindexing {
    /// Whether the index shows no client state.
    func hidesState(of index: ClientStateName) -> Bool { requests.hidesState(of: index) }

    /// Notes that a connection is told that the index has no client state.
    func noteToldNoState(of index: ClientStateName, to session: ObjectIdentifier) {
        guard hidesState(of: index) else { return }
        // A connection that is forgotten here has to read the client state once more before its own is shown.
        if toldNoState[index] == nil, toldNoState.count >= Limits.watchedIndexes { toldNoState = [:] }
        toldNoState[index, default: []].insert(session)
    }

    private func forgetToldNoState(of index: ClientStateName?) {
        if let index { toldNoState[index] = nil } else { toldNoState = [:] }
    }

    /// Notes a client state that a connection has stored, and shows it if the connection has begun anew; the closure is
    /// called once that is stored, or with the reason why the state stays hidden.
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
    /// Returns the extent of this request joined with another extent, if there is one.
    fileprivate func joined(_ other: Extent?) -> Extent {
        guard let other else { return extent }
        var joined = self
        joined.join(other)
        return joined.extent
    }
}
