package import BatonCore
import BatonNetwork

/// Makes an app's writes to its indexes, one after the other, in the order in which the app gave them.
///
/// While no node answers, writes are kept in the app's spool, and count as done. When a node answers, the writes of the
/// spool are sent before all later writes. Each write has a unique name, so that a node saves it only once although it
/// is sent twice. The next write is ended only when the outcome of the previous one is known. Before a program ends, it
/// closes the writer. Closing keeps the writes that no node has answered in the spool.
package final class IndexWriter: Sendable {
    private let client: any WriterNode
    /// The app whose indexes are written.
    private let app: String
    private let spool: (any WriterSpool)?
    /// The name of this writer, which tells it from the app's other writers.
    private let writer: [UInt8]
    /// The waiting jobs and the present one; apart from adding jobs, only the client's thread uses this state.
    private let state = Monitor(State())
    /// Held while writes are moved into the spool, so that the spool has them in the order of their numbers.
    ///
    /// A node that gets a smaller number than the last one considers the write already saved.
    private let keeping = Monitor(())
    /// Called with the reason when writes are put into the spool.
    private let kept: @Sendable (LocalFailure) -> Void
    /// Called with the items that the app has to index again, if the node refuses to remember that.
    ///
    /// The index is nil if it is not known from which index changes were lost.
    private let lost: @Sendable (ClientStateName?, ReindexRequest.Extent, LocalFailure) -> Void

    /// The answer to a write: success, or the reason why the node made none of the changes.
    package typealias Answered = @Sendable (Result<Void, LocalFailure>) -> Void

    private struct State: Sendable {
        var waiting: [Job] = []
        /// The offset of the next job in `waiting`.
        var place = 0
        /// The size of all waiting writes, in bytes.
        var byteCount = 0
        /// Whether a job, or a write of the spool, is being done.
        var isBusy = false
        /// The write that is being made; a write of the spool is not recorded here.
        var current: PendingWrite?
        /// Whether the writer was closed.
        ///
        /// A program that is about to end closes its writer. A closed writer puts all writes into the spool immediately.
        var isClosed = false
        /// The number of the last write, and of the last batch.
        var writeNumber: UInt64 = 0
        var batchNumber: UInt64 = 0

        /// Whether every write has been answered.
        var isSettled: Bool { byteCount == 0 && current == nil }
    }

    /// A write that is not answered yet.
    private struct PendingWrite: Sendable {
        let marked: MarkedWrite
        let answer: Answered
    }

    private enum Job: Sendable {
        case write(PendingWrite)
        /// A question that is asked after all earlier writes have been made.
        case ask(@Sendable (LocalFailure?) -> Void)
    }

    /// How long to wait before a write is sent again that the node could not store.
    private static let pause = Duration.seconds(1)

    /// Creates a writer for an app.
    ///
    /// Without a spool, writes fail while no node answers. Without a name, random bytes name the writer.
    package init(
        _ client: any WriterNode, of app: String, spool: (any WriterSpool)?, named writer: [UInt8]? = nil,
        kept: @escaping @Sendable (LocalFailure) -> Void = { _ in },
        lost: @escaping @Sendable (ClientStateName?, ReindexRequest.Extent, LocalFailure) -> Void
    ) {
        self.client = client
        self.app = app
        self.spool = spool
        self.kept = kept
        self.lost = lost
        self.writer = writer ?? IndexSpool.random(BatchMark.writerBytes)
        client.listen(isLasting: false) { [weak self] event in
            if case .connected = event { self?.begin() }
        }
    }

    /// Sends the writes that an earlier process of the app left in the spool, as soon as a node answers.
    package func sendLeftovers() {
        guard let spool, !spool.isEmpty else { return }
        begin()
    }

    /// Calls the closure once a node has all writes of the spool, or can't take them now.
    ///
    /// If the spool is empty, the closure is called immediately.
    package func afterLeftovers(_ body: @escaping @Sendable () -> Void) {
        guard let spool, !spool.isEmpty else { return body() }
        state.change { state in
            state.waiting.append(
                .ask { [self] failure in
                    body()
                    if failure == nil { finish() }
                })
        }
        begin()
    }

    /// Makes a write.
    ///
    /// The closure is called once the node has saved the write, the spool has it, or the write has failed.
    package func write(_ write: IndexWrite, answer: @escaping Answered) {
        let taking = state.change { state -> Taking in
            if state.isClosed { return .closed }
            guard state.byteCount == 0 || state.byteCount + write.byteCount <= Limits.waitingIndexBytes else {
                return .full
            }
            state.byteCount += write.byteCount
            state.waiting.append(.write(PendingWrite(marked: mark(write, &state), answer: answer)))
            return .taken
        }
        switch taking {
        case .taken: begin()
        case .closed:
            let results = keeping.change { _ in
                let marked = state.change { mark(write, &$0) }
                return keepWrites([marked], because: Self.ended)
            }
            answer(results[0])
        case .full:
            answer(
                .failure(
                    LocalFailure(
                        .quota,
                        "\(Limits.waitingIndexBytes >> 20) MiB of changes wait for the node already. Wait for some of their answers first."
                    )))
        }
    }

    /// The outcome of giving a write to the writer.
    private enum Taking: Sendable {
        case taken
        /// The writes that are waiting have too many bytes.
        case full
        /// The writer is closed.
        case closed
    }

    /// Gives a write its name: the name of the writer and the next number.
    private func mark(_ write: IndexWrite, _ state: inout State) -> MarkedWrite {
        state.writeNumber += 1
        return MarkedWrite(mark: BatchMark(writer: writer, number: state.writeNumber), write: write)
    }

    /// Gets the client state of an index, after all earlier writes have been made.
    package func fetchState(
        of index: ClientStateName, answer: @escaping @Sendable (Result<[UInt8]?, LocalFailure>) -> Void
    ) { ask(GetClientState(index)) { answer($0.map(\.state)) } }

    /// Waits until a node has all earlier writes, and then calls the closure; without a node, calls it with the
    /// failure.
    ///
    /// The call does not ask for a client state. If a node tells a connection that there is no client state, the
    /// connection counts as beginning to index again.
    package func awaitWrites(answer: @escaping Answered) { ask(GetSettings()) { answer($0.map { _ in () }) } }

    /// Asks the node something, after all earlier writes have been made.
    private func ask<Call: LocalCall>(
        _ call: Call, answer: @escaping @Sendable (Result<Call.Reply, LocalFailure>) -> Void
    ) {
        state.change { state in
            state.waiting.append(
                .ask { [client, self] failure in
                    if let failure { return answer(.failure(failure)) }
                    client.outcome(of: call) { outcome in
                        answer(outcome.result)
                        self.finish()
                    }
                })
        }
        begin()
    }

    // MARK: One job after the other

    /// Begins with the next job, unless a job is already being done; the jobs after it begin by themselves.
    private func begin() {
        let isFirst = state.change { state in
            defer { state.isBusy = true }
            return !state.isBusy
        }
        if isFirst { client.run(after: .zero) { [self] in step() } }
    }

    /// Ends the present job and goes on to the next one.
    private func finish() { client.run(after: .zero) { [self] in step() } }

    /// Makes the first write of the spool; if the spool is empty, does the next waiting job.
    private func step() {
        if let spool, !spool.isEmpty { return empty(spool) }
        switch takeJob() {
        case .write(let write)?: make(write)
        case .ask(let ask)?: ask(nil)
        case nil: break
        }
    }

    /// Takes the next job; if there is none, notes that no job is being done.
    ///
    /// A write stays the current write until it is answered.
    private func takeJob() -> Job? {
        state.change { state in
            guard state.place < state.waiting.count else {
                (state.waiting, state.place, state.isBusy) = ([], 0, false)
                return nil
            }
            let job = state.waiting[state.place]
            if case .write(let pending) = job {
                state.byteCount -= pending.marked.write.byteCount
                state.current = pending
            }
            state.place += 1
            if state.place == Self.takenMost {
                state.waiting.removeFirst(state.place)
                state.place = 0
            }
            return job
        }
    }

    /// The number of jobs that are taken before all of them are removed from `waiting`.
    private static let takenMost = 1024

    private func make(_ write: PendingWrite) {
        send(write.marked) { [self] outcome in
            switch outcome {
            case .reply: takeCurrent()?.answer(.success(()))
            case .refusal(let failure): takeCurrent()?.answer(.failure(failure))
            case .lost(let failure): keepCurrent(because: failure)
            }
            finish()
        }
    }

    /// Takes the current write, to answer it; nil if closing the writer has already taken it.
    private func takeCurrent() -> PendingWrite? {
        state.change { state in
            defer { state.current = nil }
            return state.current
        }
    }

    // MARK: The node

    /// Sends a write; the closure gets the outcome.
    ///
    /// Before a write of a protected index, the node is asked whether it is unlocked. A locked node must not even see
    /// the content, because that would stay in its memory.
    private func send(
        _ marked: MarkedWrite, then: @escaping @Sendable (NodeClient.Outcome<IndexReply>) -> Void
    ) {
        guard marked.write.index.isProtected else { return sendChanges(marked, then: then) }
        client.outcome(of: DemandUnlocked()) { [self] outcome in
            switch outcome {
            case .reply: sendChanges(marked, then: then)
            case .refusal(let failure): then(.refusal(failure))
            case .lost(let failure): then(.lost(failure))
            }
        }
    }

    /// Sends the changes of a write and the end of its batch; the closure gets the outcome.
    private func sendChanges(
        _ marked: MarkedWrite, then: @escaping @Sendable (NodeClient.Outcome<IndexReply>) -> Void
    ) {
        let batch = state.change { state in
            state.batchNumber += 1
            return state.batchNumber
        }
        // If changes were refused, the end of their batch is refused, too. So the first of these outcomes is the
        // reason.
        let reason = Monitor<NodeClient.Outcome<IndexReply>?>(nil)
        for call in marked.write.calls(batch) {
            client.outcome(of: call) { outcome in
                if case .reply = outcome { return }
                reason.change { $0 = $0 ?? outcome }
            }
        }
        client.outcome(of: marked.write.end(batch, marked.mark)) { [self] outcome in
            // A node that starts in between gets only the last calls. It has saved nothing, so all calls are made
            // again.
            switch (reason.change { $0 } ?? outcome, outcome) {
            case (.lost, .reply), (.lost, .refusal): send(marked, then: then)
            case (.refusal(let failure), .refusal) where failure.code == .batchNotBegun:
                send(marked, then: then)
            case (let first, .refusal): then(first)
            default: then(outcome)
            }
        }
    }

    // MARK: The spool

    /// Puts the current write into the spool, because no node has answered it.
    private func keepCurrent(because failure: LocalFailure) {
        let kept = keeping.change { _ in
            takeCurrent().map { (answer: $0.answer, result: keepWrites([$0.marked], because: failure)[0]) }
        }
        kept.map { $0.answer($0.result) }
    }

    /// Puts writes into the spool, in their order, and returns the outcome of each; the caller holds `keeping`.
    private func keepWrites(_ writes: [MarkedWrite], because failure: LocalFailure) -> [Result<
        Void, LocalFailure
    >] {
        let lasting = writes.filter(\.mayBeKept)
        guard let spool, failure.allowsWaiting, !lasting.isEmpty else {
            return writes.map { _ in .failure(failure) }
        }
        let added: Result<Int, LocalFailure>
        do throws(LocalFailure) {
            added = .success(try spool.append(lasting))
            kept(failure)
            client.seekNode()
        } catch {
            added = .failure(error)
        }
        var place = 0
        return writes.map { write in
            guard write.mayBeKept else { return .failure(failure) }
            place += 1
            return added.flatMap { place <= $0 ? .success(()) : .failure(IndexSpool.full) }
        }
    }

    // MARK: The end of the program

    /// Waits for at most `patience` until every write is answered, and puts the unanswered writes into the spool.
    ///
    /// Later writes go into the spool immediately. Returns the failures of the writes that can't be kept.
    package func close(within patience: Duration) -> [LocalFailure] {
        _ = state.wait(within: patience) { state in state.isSettled ? true : nil }
        var questions: [@Sendable (LocalFailure?) -> Void] = []
        let (writes, results) = keeping.change { _ in
            let writes = state.change { state in
                var writes = [state.current].compactMap(\.self)
                for job in state.waiting[state.place...] {
                    switch job {
                    case .write(let write): writes.append(write)
                    case .ask(let ask): questions.append(ask)
                    }
                }
                (state.waiting, state.place, state.byteCount) = ([], 0, 0)
                (state.current, state.isClosed) = (nil, true)
                return writes
            }
            return (writes, writes.isEmpty ? [] : keepWrites(writes.map(\.marked), because: Self.ended))
        }
        for (write, result) in zip(writes, results) { write.answer(result) }
        for question in questions { question(Self.ended) }
        return results.compactMap { if case .failure(let failure) = $0 { failure } else { nil } }
    }

    /// The reason for which writes are kept when a program ends.
    private static let ended = LocalFailure(
        .noNode, "The node had not answered when the program ended.")

    /// Sends the first write of the spool.
    private func empty(_ spool: any WriterSpool) {
        let first: (entry: IndexSpool.Entry, place: IndexSpool.Place)?
        do throws(LocalFailure) {
            first = try spool.first()
        } catch {
            return leave(error)
        }
        guard let first else { return finish() }
        switch first.entry {
        case .write(let kept):
            send(kept) { [self] outcome in
                switch outcome {
                case .reply: remove(first.place, of: spool)
                case .refusal(let failure) where failure.isAboutNode: leave(failure)
                case .refusal(let failure):
                    replace(first.place, of: spool, [kept.write.index], kept.write.extent, because: failure)
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

    /// Removes damage that may have been of any index, after the node has noted that the app must fill all indexes
    /// again.
    private func replaceUnknown(
        _ place: IndexSpool.Place, of spool: any WriterSpool, because reason: LocalFailure
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

    /// Removes an entry that can't be sent, after the node has noted that the app must index its content again.
    ///
    /// If damage may have been of any index, the app is also told to fill indexes that the node does not know.
    private func replace(
        _ place: IndexSpool.Place, of spool: any WriterSpool, _ indexes: ArraySlice<ClientStateName>,
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

    private func remove(_ place: IndexSpool.Place, of spool: any WriterSpool) {
        do throws(LocalFailure) {
            try spool.remove(place)
            finish()
        } catch {
            leave(error)
        }
    }

    /// Leaves the spool unchanged until a node answers or a pause is over, and adds the waiting writes to the spool.
    private func leave(_ failure: LocalFailure) {
        while let job = takeJob() {
            switch job {
            case .write: keepCurrent(because: failure)
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
    /// Whether changes are kept until a node accepts them, which may be only after a person has set up the account.
    fileprivate var allowsWaiting: Bool { isPassing || code == .notInitialised || isAboutNode }

    /// Whether the node refused a change because of the node's own state, and not because of the change.
    fileprivate var isAboutNode: Bool {
        switch code {
        case .storage, .unknownAccount, .notInitialised, .versionMismatch: true
        default: false
        }
    }
}

extension MarkedWrite {
    /// Whether the write may be kept in the spool until a node runs.
    ///
    /// A conditional write is not kept, because nobody could tell the app later that the client state was not the
    /// expected one. A write of a protected index is not kept, because only a node can seal it.
    fileprivate var mayBeKept: Bool { write.condition == nil && !write.index.isProtected }
}
