import BatonClient
import BatonCore
import BatonNetwork
import Glibc

/// The service that all indexes of this process share: the connection to the node, the writer, and the delegates that
/// are asked to index again.
final class IndexService: Sendable {
    let app: String
    let client: NodeClient
    let writer: IndexWriter
    private let log: ActivityLog
    /// The indexes of the app that are in use, and the requests that wait for a delegate.
    private let reindexing: Monitor<Reindexing>

    /// The number of requests that were acknowledged, and the tasks that wait for the next acknowledgement.
    private let acknowledgements = Monitor(Acknowledgements())

    /// The service of this process; a forked child has its own.
    static var shared: IndexService { perProcess.value }
    private static let perProcess = PerProcess { IndexService(.shared) }

    /// How long the program's end is delayed to wait for the node's answers.
    private static let closingTime = Duration.seconds(2)

    /// Requests to index again that no delegate has received yet.
    private struct Reindexing: Sendable {
        var indexes: [String: [WeakIndex]] = [:]
        var waiting: [Request] = []
        /// Whether changes of unknown indexes were lost: then each index is asked, once it has a delegate.
        var isAnyLost = false
    }

    private struct Acknowledgements: Sendable {
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private struct WeakIndex: Sendable {
        weak var core: IndexCore?
    }

    /// A request to index something again.
    private struct Request: Sendable {
        let index: String
        let extent: ReindexRequest.Extent
        /// Whether the node waits for an acknowledgement.
        let isOfNode: Bool
    }

    private init(_ application: BatonApplication) {
        app = application.fixedIdentifier
        client = application.client
        let reindexing = Monitor(Reindexing())
        self.reindexing = reindexing
        let spool = IndexSpool.path(
            app: app, home: application.home, environment: Environment.variable
        ).map { IndexSpool($0) }
        let log = application.log
        self.log = log
        writer = IndexWriter(
            client, of: app, spool: spool, kept: { log.adviseOnKeeping(because: $0) }
        ) { index, extent, reason in
            reindexing.change { reindexing in
                let names = index.map { [$0.index] } ?? reindexing.indexes.keys.sorted()
                reindexing.waiting += names.map { Request(index: $0, extent: extent, isOfNode: false) }
                if index == nil { reindexing.isAnyLost = true }
            }
            log.fault("\(reason.text) The app is asked to index again what was lost.")
            Callbacks.call { IndexService.shared.askDelegates() }
        }
        client.listen { event in
            guard case .reindexing(let index, let extent) = event else { return }
            reindexing.change {
                $0.waiting.append(Request(index: index.index, extent: extent, isOfNode: true))
            }
            Callbacks.call { IndexService.shared.askDelegates() }
        }
        writer.sendLeftovers()
        // A forked child closes its own service, if it has one; the parent closes the parent's.
        if atexit({ IndexService.perProcess.valueIfMade?.close() }) != 0 {
            log.fault("Changes just before the end of the program may be lost, because no memory is left.")
        }
    }

    /// Closes the writer, because the program ends by `exit` or by a return from its main.
    private func close() {
        let failures = writer.close(within: Self.closingTime)
        guard let first = failures.first else { return }
        let changes =
            failures.count == 1 ? "A change to an index is" : "\(failures.count) changes to indexes are"
        log.fault("\(changes) lost, because the program ended: \(first.text)")
    }

    /// Returns the name of an index of this app.
    func name(_ index: String) -> ClientStateName { ClientStateName(app: app, index: index) }

    /// Waits until the node has all changes that were accepted so far; throws if no node is running.
    func awaitWrites() async throws(LocalFailure) {
        let result = await withCheckedContinuation { continuation in
            writer.awaitWrites { continuation.resume(returning: $0) }
        }
        try result.get()
    }

    // MARK: Indexing again

    /// Notes that an index has a delegate, which is asked from now on.
    func noteDelegate(of core: IndexCore) {
        reindexing.change { reindexing in
            if reindexing.isAnyLost, reindexing.indexes[core.name] == nil {
                reindexing.waiting.append(Request(index: core.name, extent: .all, isOfNode: false))
            }
            var cores = (reindexing.indexes[core.name] ?? []).filter { $0.core != nil && $0.core !== core }
            cores.append(WeakIndex(core: core))
            reindexing.indexes[core.name] = cores
        }
        client.watchReindexing(of: name(core.name))
        Callbacks.call { [self] in askDelegates() }
    }

    /// Waits until no request to index again is left for these indexes of the app.
    func awaitReindexing(of indexes: [String]) async throws(LocalFailure) {
        while true {
            let count = acknowledgements.change { $0.count }
            let found = try await client.ask(ExamineApp(app, indexes: indexes)).indexes
            guard found.contains(where: { indexes.contains($0.name) && $0.reindexing != nil }) else { return }
            await withCheckedContinuation { continuation in
                let isLate = acknowledgements.change { state in
                    guard state.count == count else { return true }
                    state.waiting.append(continuation)
                    return false
                }
                if isLate { continuation.resume() }
            }
        }
    }

    private func noteAcknowledgement() {
        let waiting = acknowledgements.change { state in
            state.count += 1
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Passes the requests that wait to the delegates of their indexes, on the queue of callbacks.
    private func askDelegates() {
        let waiting = reindexing.change { reindexing in
            defer { reindexing.waiting = [] }
            return reindexing.waiting
        }
        for request in waiting {
            let cores = reindexing.change { $0.indexes[request.index]?.compactMap(\.core) ?? [] }
            guard cores.contains(where: { ask($0, request) }) else {
                // The next delegate of that index gets the request.
                reindexing.change { $0.waiting.append(request) }
                continue
            }
        }
    }

    /// Passes a request to the delegate of an index; returns false if there is no longer a delegate.
    private func ask(_ core: IndexCore, _ request: Request) -> Bool {
        guard let index = core.index, let delegate = index.indexDelegate else { return false }
        let acknowledged = Monitor(false)
        let acknowledge: @Sendable () -> Void = { [self] in
            let isFirst = acknowledged.change { acknowledged in
                defer { acknowledged = true }
                return !acknowledged
            }
            // Acknowledge only after all changes of the delegate have reached the node; the fetch of the state waits
            // for them.
            guard isFirst, request.isOfNode else { return }
            writer.fetchState(of: name(request.index)) { [self] _ in
                client.acknowledge(request.extent, of: name(request.index)) { [self] _ in
                    noteAcknowledgement()
                }
            }
        }
        switch request.extent {
        case .all:
            delegate.searchableIndex(index, reindexAllSearchableItemsWithAcknowledgementHandler: acknowledge)
        case .items(let items):
            delegate.searchableIndex(
                index, reindexSearchableItemsWithIdentifiers: items.sorted(),
                acknowledgementHandler: acknowledge)
        }
        return true
    }
}

/// The state of an index that its calls on all threads share.
final class IndexCore: Sendable {
    let name: String
    private let state = Monitor(State())

    private struct State: Sendable {
        weak var index: Unowned?
        /// The changes of the batch that was begun; nil if no batch was begun.
        var batch: [ChangeIndex]?
        /// The items that the batch deletes.
        var deletions = ItemDeletions()
        var byteCount = 0
        /// Why the batch can no longer end.
        var failure: LocalFailure?
    }

    /// Refers weakly to the index; the index keeps this object alive.
    final class Unowned: @unchecked Sendable {
        weak var index: CSSearchableIndex?

        init(_ index: CSSearchableIndex) { self.index = index }
    }

    init(_ name: String) { self.name = name }

    /// The index itself; nil once the app has released it.
    var index: CSSearchableIndex? { state.change { $0.index }?.index }

    func setIndex(_ index: Unowned) { state.change { $0.index = index } }

    // MARK: Batches

    /// Begins a batch; does nothing if a batch was begun before.
    func beginBatch() {
        state.change { state in
            guard state.batch == nil else { return }
            (state.batch, state.deletions, state.byteCount, state.failure) = ([], ItemDeletions(), 0, nil)
        }
    }

    /// Adds changes to the batch; returns nil if no batch was begun, and a failure if the changes do not fit.
    func add(_ parts: [ChangeIndex], _ deletions: ItemDeletions) -> Result<Void, LocalFailure>? {
        state.change { state in
            guard state.batch != nil else { return nil }
            let byteCount = parts.reduce(state.byteCount) { $0 + $1.byteCount }
            guard byteCount <= Limits.spoolBytes / 2 else {
                let failure = LocalFailure(
                    .quota,
                    "A batch may have at most \(Limits.spoolBytes >> 21) MiB of changes. End it, and go on with another one."
                )
                state.failure = failure
                return .failure(failure)
            }
            state.batch?.append(contentsOf: parts)
            state.deletions.add(deletions)
            state.byteCount = byteCount
            return .success(())
        }
    }

    /// Ends the batch and returns its changes, with the items that it deletes; throws the reason if it can't end.
    func takeBatch() throws(LocalFailure) -> (parts: [ChangeIndex], deletions: ItemDeletions) {
        let (batch, deletions, failure) = state.change { state in
            defer { (state.batch, state.deletions, state.failure) = (nil, ItemDeletions(), nil) }
            return (state.batch, state.deletions, state.failure)
        }
        if let failure { throw failure }
        return (batch ?? [], deletions)
    }
}

extension CSIndexError {
    /// The error for a failure of the node, or of the connection to it.
    init(_ failure: LocalFailure) {
        let code: Code =
            switch failure.code {
            case .noNode, .notInitialised, .unknownAccount, .versionMismatch: .indexUnavailableError
            case .otherState: .mismatchedClientState
            case .quota: .quotaExceeded
            case .usage, .tooLarge: .invalidItemError
            case .failed, .notAllowed: .remoteConnectionError
            default: .unknownError
            }
        self.init(code, failure.text)
    }
}
