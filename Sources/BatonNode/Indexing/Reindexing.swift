import BatonCore

/// Tells apps what to index again, as soon as they ask and until each app has acknowledged it.
final class Reindexing {
    private var requests: ReindexRequests
    private let store: StoreThreads
    /// The indexes whose apps were told something that they have not acknowledged.
    private var told: [ClientStateName: Told] = [:]
    private var waiting: [Waiter] = []
    /// The connections that were told since the last request for everything that their index has no client state.
    private var toldNoState: [ClientStateName: Set<ObjectIdentifier>] = [:]

    /// A connection of an app that waits for requests about some indexes.
    private struct Waiter {
        let session: ObjectIdentifier
        let indexes: [ClientStateName]
        let answer: Answer<ReindexingReply>
    }

    /// The requests of an index since its app was told something; nil if there were none.
    ///
    /// Each connection has its own: an instance of an app that is slow may acknowledge an old request after another one
    /// has acknowledged it, too, and has been told a new one, which must stay.
    private struct Told {
        /// The connections that have not acknowledged what they were told.
        var connections: [ObjectIdentifier: ReindexRequest.Extent?] = [:]
        /// The same for those that have ended: their app may acknowledge on another one.
        var ended: ReindexRequest.Extent??

        /// Notes a request that none of them knows.
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

        /// The part that an acknowledgement by this connection does not cover: from one that was told nothing, all that it
        /// may not know.
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

    /// Answers those who wait for a request that there is now.
    private func tellWaiting() { waiting = waiting.filter { !tell($0) } }

    /// Answers once something of one of these indexes is requested; an earlier call of the connection waits no longer.
    func await(
        _ call: AwaitReindexing, by session: ObjectIdentifier, _ answer: @escaping Answer<ReindexingReply>
    ) {
        for earlier in waiting where earlier.session == session { earlier.answer(.success(.replaced)) }
        waiting.removeAll { $0.session == session }
        let waiter = Waiter(session: session, indexes: call.indexes, answer: answer)
        if !tell(waiter) { waiting.append(waiter) }
    }

    /// Forgets the waits of a connection, which has ended.
    func forget(_ session: ObjectIdentifier) {
        waiting.removeAll { $0.session == session }
        for index in told.keys { told[index]?.forget(session) }
        for index in toldNoState.keys {
            toldNoState[index]?.remove(session)
            if toldNoState[index]?.isEmpty == true { toldNoState[index] = nil }
        }
    }

    /// Removes and returns the open requests of a connection, because another state is served from now on.
    func takeBack(_ session: ObjectIdentifier) -> [(call: AwaitReindexing, answer: Answer<ReindexingReply>)] {
        defer { forget(session) }
        return waiting.filter { $0.session == session }.map { (AwaitReindexing($0.indexes), $0.answer) }
    }

    /// Returns what is requested of these indexes of an app, some of which have items, and of its others that have a
    /// request.
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

    /// Answers with the first request about one of the indexes of which the connection was not told; returns false if there
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
        // A request that came after the app was told is not done with this one.
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

/// A client state says that all is there that the app had indexed by then. While its app is asked for everything, an index
/// shows none: the app may have stored it behind changes that were lost.
///
/// A connection that was told so begins anew, and the state that it stores then counts, whether or not it acknowledges the
/// request later. Until then all that comes over the connection continues from what the app knew before.
///
///     a request for everything ──▶ hidden ──told no state, then stored one──▶ shown
///                                     └──acknowledged──▶ shown
extension Reindexing {
    /// Whether the index shows no client state.
    func hidesState(of index: ClientStateName) -> Bool { requests.hidesState(of: index) }

    /// Notes that a connection is told that the index has no client state.
    func noteToldNoState(of index: ClientStateName, to session: ObjectIdentifier) {
        guard hidesState(of: index) else { return }
        // Those that are forgotten ask once more.
        if toldNoState[index] == nil, toldNoState.count >= Limits.watchedIndexes { toldNoState = [:] }
        toldNoState[index, default: []].insert(session)
    }

    private func forgetToldNoState(of index: ClientStateName?) {
        if let index { toldNoState[index] = nil } else { toldNoState = [:] }
    }

    /// Notes a client state that a connection has stored, and shows it if the connection has begun anew; the closure is
    /// called once that is kept, or with the reason why the state stays hidden.
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
    /// The extent of this request together with another one, if there is one.
    fileprivate func joined(_ other: Extent?) -> Extent {
        guard let other else { return extent }
        var joined = self
        joined.join(other)
        return joined.extent
    }
}
