import BatonCore

/// Tells apps what to index again, as soon as they ask and until each app has acknowledged it.
final class Reindexing {
    private var requests: ReindexRequests
    private let store: StoreThreads
    /// The indexes whose apps were told something that they have not acknowledged, with what was requested since then.
    private var told: [ClientStateName: ReindexRequest.Extent?] = [:]
    /// The connections that were told a request, until it is acknowledged.
    private var listeners: [ClientStateName: Set<ObjectIdentifier>] = [:]
    private var waiting: [Waiter] = []

    /// A connection of an app that waits for requests about some indexes.
    private struct Waiter {
        let session: ObjectIdentifier
        let indexes: [ClientStateName]
        let answer: Answer<ReindexingReply>
    }

    init(_ notes: [LocalNote], store: StoreThreads) {
        (requests, self.store) = (ReindexRequests(notes), store)
    }

    /// Adds the requests that the store makes after a rescue.
    func take(_ notes: [LocalNote]) {
        requests = ReindexRequests(notes)
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
        for (index, sessions) in listeners where sessions.contains(session) {
            let rest = sessions.subtracting([session])
            listeners[index] = rest.isEmpty ? nil : rest
        }
    }

    /// Removes and returns the open requests of a connection, because another state is served from now on.
    func takeBack(_ session: ObjectIdentifier) -> [(call: AwaitReindexing, answer: Answer<ReindexingReply>)] {
        defer { forget(session) }
        return waiting.filter { $0.session == session }.map { (AwaitReindexing($0.indexes), $0.answer) }
    }

    /// Returns what is requested of these indexes of an app, and of its others that have a request.
    func status(of app: String, _ indexes: [String]) -> [AppIndexStatus] {
        let requested = requests.known.compactMap { $0.index?.app == app ? $0.index?.index : nil }
        var names: [String] = []
        for name in indexes + requested where !names.contains(name) { names.append(name) }
        return names.map { name in
            let index = ClientStateName(app: app, index: name)
            return AppIndexStatus(
                name, reindexing: requests.request(for: index)?.extent,
                isHeard: listeners[index] != nil || waiting.contains { $0.indexes.contains(index) })
        }
    }

    /// Answers with the first request about one of the indexes of which the connection was not told; returns false if there
    /// is none.
    private func tell(_ waiter: Waiter) -> Bool {
        for index in waiter.indexes {
            guard let request = requests.request(for: index),
                listeners[index]?.contains(waiter.session) != true
            else { continue }
            listeners[index, default: []].insert(waiter.session)
            told[index] = .some(nil)
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
        store.submit(to: .index) { [transaction] (store) throws(StoreFailure) in
            try store.commit(transaction)
        } then: { [self] result in
            switch result {
            case .success:
                _ = requests.add(request)
                noteLater(request)
                answer(.success(Done()))
                tellWaiting()
            case .failure(let failure):
                answer(.failure(LocalFailure(.storage, "Could not save the request: \(failure).")))
            }
        }
    }

    /// Notes a request that an app does not know yet which has not acknowledged an earlier one.
    private func noteLater(_ request: ReindexRequest) {
        guard let index = request.index, let later = told[index] else { return }
        var joined = ReindexRequest(later ?? request.extent, of: index)
        joined.join(request.extent)
        told[index] = .some(joined.extent)
    }

    /// Notes that the app has done what it was asked for.
    func acknowledge(_ done: ReindexRequest, _ answer: @escaping Answer<IndexReply>) {
        var rest = requests
        var transaction = StoreTransaction(lane: .index, writes: [], completing: VersionVector())
        transaction.notes = rest.acknowledge(done)
        // A request that came after the app was told is not done with this one.
        let later = done.index.flatMap { index in
            (told[index] ?? nil).map { ReindexRequest($0, of: index) }
        }
        if let later, !transaction.notes.isEmpty { transaction.notes.append(rest.add(later)) }
        guard !transaction.notes.isEmpty else { return answer(.success(IndexReply(passedOver: 0))) }
        store.submit(to: .index) { [transaction] (store) throws(StoreFailure) in
            try store.commit(transaction)
        } then: { [self] result in
            switch result {
            case .success:
                _ = requests.acknowledge(done)
                if let later { _ = requests.add(later) }
                // Those who were told before ask again if they still wait.
                if let index = done.index { (told[index], listeners[index]) = (nil, nil) }
                answer(.success(IndexReply(passedOver: 0)))
            case .failure(let failure):
                answer(
                    .failure(
                        LocalFailure(
                            .storage, "Could not save the answer: \(failure). You will be asked again.")))
            }
        }
    }
}
