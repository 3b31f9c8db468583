package import BatonCore
import BatonNetwork

/// Makes an app's writes to its indexes, one after the other, in the order in which they were given.
///
/// While no node answers, writes are kept in the app's spool, which counts as done; they are sent when a node comes,
/// before all later ones. Each write has a name, so that a node that has saved it already does not save it again. The
/// next write is ended only when the outcome of the one before is known.
package final class IndexWriter: Sendable {
    private let client: NodeClient
    /// The app whose indexes are written.
    private let app: String
    private let spool: IndexSpool?
    /// The name of this writer among those of the app.
    private let writer = IndexSpool.random(BatchMark.writerBytes)
    /// The jobs that wait, and the one under way; used on the client's thread, but for adding to what waits.
    private let state = Monitor(State())
    /// Called with what the app has to index again, if the node can't be asked to remember that; without an index if the
    /// index is not known.
    private let lost: @Sendable (ClientStateName?, ReindexRequest.Extent, LocalFailure) -> Void

    /// The answer to a write: done, or the reason why nothing of it was done.
    package typealias Answered = @Sendable (Result<Void, LocalFailure>) -> Void

    private struct State: Sendable {
        var waiting: [Job] = []
        /// The place of the next job in `waiting`.
        var place = 0
        /// The bytes of the writes that wait.
        var byteCount = 0
        /// Whether a job, or a write of the spool, is under way.
        var isBusy = false
        /// The number of the last write, and of the last batch.
        var writeNumber: UInt64 = 0
        var batchNumber: UInt64 = 0
    }

    private enum Job: Sendable {
        case write(IndexWrite, Answered)
        /// A question that is asked once all earlier writes are made.
        case ask(@Sendable (LocalFailure?) -> Void)
    }

    /// The pause before a write is sent again that the node could not store.
    private static let pause = Duration.seconds(1)

    /// Creates a writer for an app; without a spool, writes fail while no node answers.
    package init(
        _ client: NodeClient, of app: String, spool: IndexSpool?,
        lost: @escaping @Sendable (ClientStateName?, ReindexRequest.Extent, LocalFailure) -> Void
    ) {
        (self.client, self.app, self.spool, self.lost) = (client, app, spool, lost)
        client.listen { [weak self] event in
            if case .connected = event { self?.begin() }
        }
    }

    /// Sends what an earlier process of the app has left, as soon as a node answers.
    package func sendLeftovers() {
        guard let spool, !spool.isEmpty else { return }
        begin()
    }

    /// Makes a write; the closure is called once it is saved by the node or kept in the spool, or has failed.
    package func write(_ write: IndexWrite, answer: @escaping Answered) {
        let isTaken = state.change { state in
            guard state.byteCount == 0 || state.byteCount + write.byteCount <= Limits.waitingIndexBytes else {
                return false
            }
            state.byteCount += write.byteCount
            state.waiting.append(.write(write, answer))
            return true
        }
        guard isTaken else {
            return answer(
                .failure(
                    LocalFailure(
                        .quota,
                        "\(Limits.waitingIndexBytes >> 20) MiB of changes wait for the node already. Wait for some of their answers first."
                    )))
        }
        begin()
    }

    /// Gets the client state of an index, once all earlier writes are made.
    package func fetchState(
        of index: ClientStateName, answer: @escaping @Sendable (Result<[UInt8]?, LocalFailure>) -> Void
    ) { ask(GetClientState(index)) { answer($0.map(\.state)) } }

    /// Waits until a node has all earlier writes; the closure is called then, or with the failure if none is running.
    ///
    /// It asks for no client state: a connection that asks for one, and is told that there is none, begins anew.
    package func awaitWrites(answer: @escaping Answered) { ask(GetSettings()) { answer($0.map { _ in () }) } }

    /// Asks the node something, once all earlier writes are made.
    private func ask<Call: LocalCall>(
        _ call: Call, answer: @escaping @Sendable (Result<Call.Reply, LocalFailure>) -> Void
    ) {
        state.change { state in
            state.waiting.append(
                .ask { [client, self] failure in
                    if let failure { return answer(.failure(failure)) }
                    client.ask(call) { result in
                        answer(result)
                        self.finish()
                    }
                })
        }
        begin()
    }

    // MARK: One job after the other

    /// Begins with the next job, if none is under way; afterwards the next one begins by itself.
    private func begin() {
        let isFirst = state.change { state in
            defer { state.isBusy = true }
            return !state.isBusy
        }
        if isFirst { client.run { [self] in step() } }
    }

    /// Goes on with the next job.
    private func finish() { client.run { [self] in step() } }

    /// Does the next thing: first the writes of the spool, then those that wait.
    private func step() {
        if let spool, !spool.isEmpty { return empty(spool) }
        switch takeJob() {
        case .write(let write, let answer)?: make(write, answer)
        case .ask(let ask)?: ask(nil)
        case nil: break
        }
    }

    /// Takes the next job; without one, nothing is under way any more.
    private func takeJob() -> Job? {
        state.change { state in
            guard state.place < state.waiting.count else {
                (state.waiting, state.place, state.isBusy) = ([], 0, false)
                return nil
            }
            let job = state.waiting[state.place]
            if case .write(let write, _) = job { state.byteCount -= write.byteCount }
            state.place += 1
            if state.place == Self.takenMost {
                state.waiting.removeFirst(state.place)
                state.place = 0
            }
            return job
        }
    }

    /// How many jobs are taken before their places are used again.
    private static let takenMost = 1024

    /// Names a write.
    private func mark(_ write: IndexWrite) -> MarkedWrite {
        let number = state.change { state in
            state.writeNumber += 1
            return state.writeNumber
        }
        return MarkedWrite(mark: BatchMark(writer: writer, number: number), write: write)
    }

    private func make(_ write: IndexWrite, _ answer: @escaping Answered) {
        let marked = mark(write)
        send(marked) { [self] outcome in
            switch outcome {
            case .reply: answer(.success(()))
            case .refusal(let failure): answer(.failure(failure))
            case .lost(let failure): keep(marked, answer, because: failure)
            }
            finish()
        }
    }

    // MARK: The node

    /// Sends a write and its end; the closure gets the outcome.
    private func send(
        _ marked: MarkedWrite, then: @escaping @Sendable (NodeClient.Outcome<IndexReply>) -> Void
    ) {
        let batch = state.change { state in
            state.batchNumber += 1
            return state.batchNumber
        }
        // The end of a batch whose changes were refused or lost is refused, too; then the first of these outcomes counts.
        let reason = Monitor<NodeClient.Outcome<IndexReply>?>(nil)
        for call in marked.write.calls(batch) {
            client.outcome(of: call) { outcome in
                if case .reply = outcome { return }
                reason.change { $0 = $0 ?? outcome }
            }
        }
        client.outcome(of: marked.write.end(batch, marked.mark)) { [self] outcome in
            guard case .refusal = outcome else { return then(outcome) }
            let first = reason.change { $0 } ?? outcome
            // A node that starts in between gets only the last calls. It has saved nothing, so all of them are made again.
            if case .refusal(let failure) = first, failure.code == .batchNotBegun {
                return send(marked, then: then)
            }
            then(first)
        }
    }

    // MARK: The spool

    /// Keeps a write that no node has answered.
    private func keep(_ marked: MarkedWrite, _ answer: Answered, because failure: LocalFailure) {
        // Nobody could tell the app later that the client state was another one than it expected.
        guard let spool, failure.allowsWaiting, marked.write.condition == nil else {
            return answer(.failure(failure))
        }
        do throws(LocalFailure) {
            try spool.append(marked)
            client.seekNode()
            answer(.success(()))
        } catch {
            answer(.failure(error))
        }
    }

    /// Sends the first write of the spool.
    private func empty(_ spool: IndexSpool) {
        let first: (entry: IndexSpool.Entry, place: IndexSpool.Place)?
        do throws(LocalFailure) {
            first = try spool.first()
        } catch {
            return leave(error)
        }
        guard let first else { return finish() }
        switch first.entry {
        case .write(let marked):
            send(marked) { [self] outcome in
                switch outcome {
                case .reply: remove(first.place, of: spool)
                case .refusal(let failure) where failure.isAboutNode: leave(failure)
                case .refusal(let failure):
                    replace(
                        first.place, of: spool, [marked.write.index], marked.write.extent, because: failure)
                case .lost(let failure): leave(failure)
                }
            }
        case .damage(let index, let bytes):
            let failure = LocalFailure(
                .storage, "\(bytes) bytes of changes that waited for the node can't be read from the disk.")
            if let index { return replace(first.place, of: spool, [index], .all, because: failure) }
            replaceUnknown(first.place, of: spool, because: failure)
        }
    }

    /// Removes damage that may be of any index, once the node remembers that the app is to index all that it has there.
    private func replaceUnknown(
        _ place: IndexSpool.Place, of spool: IndexSpool, because reason: LocalFailure
    ) {
        client.outcome(of: ExamineApp(app)) { [self] outcome in
            switch outcome {
            case .reply(let reply):
                let indexes = reply.indexes.map { ClientStateName(app: app, index: $0.name) }
                replace(place, of: spool, indexes[...], .all, isAny: true, because: reason)
            case .refusal(let failure) where failure.isAboutNode: leave(failure)
            case .refusal:
                lost(nil, .all, reason)
                remove(place, of: spool)
            case .lost(let failure): leave(failure)
            }
        }
    }

    /// Removes what can't be sent, once the node remembers that the app is to index it again.
    ///
    /// If it may be of any index, the app is also asked for those of which the node has nothing.
    private func replace(
        _ place: IndexSpool.Place, of spool: IndexSpool, _ indexes: ArraySlice<ClientStateName>,
        _ extent: ReindexRequest.Extent, isAny: Bool = false, because reason: LocalFailure
    ) {
        guard let index = indexes.first else {
            if isAny { lost(nil, extent, reason) }
            return remove(place, of: spool)
        }
        client.outcome(of: RequestReindexing(index, extent)) { [self] outcome in
            switch outcome {
            case .reply: break
            case .refusal(let failure) where failure.isAboutNode: return leave(failure)
            case .refusal: lost(index, extent, reason)
            case .lost(let failure): return leave(failure)
            }
            replace(place, of: spool, indexes.dropFirst(), extent, isAny: isAny, because: reason)
        }
    }

    private func remove(_ place: IndexSpool.Place, of spool: IndexSpool) {
        do throws(LocalFailure) {
            try spool.remove(place)
            finish()
        } catch {
            leave(error)
        }
    }

    /// Leaves the spool as it is until a node answers, or for a while; what waits meanwhile is added to it.
    private func leave(_ failure: LocalFailure) {
        while let job = takeJob() {
            switch job {
            case .write(let write, let answer): keep(mark(write), answer, because: failure)
            case .ask(let ask): ask(failure)
            }
        }
        if failure.isPassing {
            client.seekNode()
        } else {
            client.run(after: Self.pause) { [self] in begin() }
        }
    }
}

extension LocalFailure {
    /// Whether changes are kept until a node takes them, which may be on the day on which a person sets up the account.
    fileprivate var allowsWaiting: Bool { isPassing || code == .notInitialised || isAboutNode }

    /// Whether a node refused a change for a reason that lies with the node and not with the change.
    fileprivate var isAboutNode: Bool {
        switch code {
        case .storage, .unknownAccount, .notInitialised, .versionMismatch: true
        default: false
        }
    }
}
