import BatonClient
import BatonCore
import BatonNetwork
import Glibc

/// The service that all indexes of this process share.
///
/// It has the connection to the node and the writer. It also passes requests to reindex to the delegates of the
/// indexes.
final class IndexService: Sendable {
    let app: String
    let client: NodeClient
    let writer: IndexWriter
    private let log: ActivityLog
    /// The indexes of the app that have delegates, and the requests that wait for a delegate.
    private let reindexing: Monitor<Reindexing>

    /// The number of requests that were acknowledged, and the tasks that wait for the next acknowledgement.
    private let acknowledgements = Monitor(Acknowledgements())

    /// The service of this process; after a fork, the child makes its own.
    static var shared: IndexService { perProcess.value }
    private static let perProcess = PerProcess { IndexService(.shared) }

    /// The maximum time for which the end of the program is delayed to wait for the node's answers.
    private static let closingTime = Duration.seconds(2)

    /// The requests to reindex that no delegate has received yet.
    private struct Reindexing: Sendable {
        var indexes: [String: [WeakIndex]] = [:]
        var waiting: [Request] = []
        /// Whether changes of an unknown index were lost.
        ///
        /// In this case, each index has to reindex, once it has a delegate.
        var isAnyLost = false
    }

    private struct Acknowledgements: Sendable {
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private struct WeakIndex: Sendable {
        weak var core: IndexCore?
    }

    /// A request to index items again.
    private struct Request: Sendable {
        let index: String
        let extent: ReindexRequest.Extent
        /// Whether the request came from the node, which waits for an acknowledgement.
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
        // After a fork, the child closes its own service if it has made one, and the parent closes the parent's
        // service.
        if atexit({ IndexService.perProcess.valueIfMade?.close() }) != 0 {
            log.fault("Changes just before the end of the program may be lost, because no memory is left.")
        }
    }

    /// Closes the writer, because the program calls `exit` or returns from its main function.
    private func close() {
        let failures = writer.close(within: Self.closingTime)
        guard let first = failures.first else { return }
        let changes =
            failures.count == 1 ? "A change to an index is" : "\(failures.count) changes to indexes are"
        log.fault("\(changes) lost, because the program ended: \(first.text)")
    }

    /// Returns the name of an index of this app.
    func name(_ index: String) -> ClientStateName { ClientStateName(app: app, index: index) }

    /// Waits until the node has all changes that were accepted before; throws if no node is running.
    func awaitWrites() async throws(LocalFailure) {
        let result = await withCheckedContinuation { continuation in
            writer.awaitWrites { continuation.resume(returning: $0) }
        }
        try result.get()
    }

    // MARK: Indexing again

    /// Notes that an index has a delegate, which gets the requests to reindex from now on.
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

    /// Waits until there is no request to reindex any of these indexes of the app.
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

    /// Passes the waiting requests to the delegates of their indexes; called on the queue for callbacks.
    private func askDelegates() {
        let waiting = reindexing.change { reindexing in
            defer { reindexing.waiting = [] }
            return reindexing.waiting
        }
        for request in waiting {
            let cores = reindexing.change { $0.indexes[request.index]?.compactMap(\.core) ?? [] }
            guard cores.contains(where: { ask($0, request) }) else {
                // The next delegate of that index will get the request.
                reindexing.change { $0.waiting.append(request) }
                continue
            }
        }
    }

    /// Passes a request to the delegate of an index; returns false if the index no longer has a delegate.
    private func ask(_ core: IndexCore, _ request: Request) -> Bool {
        guard let index = core.index, let delegate = index.indexDelegate else { return false }
        let acknowledged = Monitor(false)
        let acknowledge: @Sendable () -> Void = { [self] in
            let isFirst = acknowledged.change { acknowledged in
                defer { acknowledged = true }
                return !acknowledged
            }
            // Acknowledge only after the node has all changes that the delegate has made. Fetching the client state
            // waits for these changes.
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
        /// The changes of the open batch; nil if no batch is open.
        var batch: [ChangeIndex]?
        /// The items that the open batch deletes.
        var deletions = ItemDeletions()
        var byteCount = 0
        /// The reason why the open batch can't be saved any more; nil if it can.
        var failure: LocalFailure?
    }

    /// A weak reference to an index; the index keeps this object alive.
    final class Unowned: @unchecked Sendable {
        weak var index: CSSearchableIndex?

        init(_ index: CSSearchableIndex) { self.index = index }
    }

    init(_ name: String) { self.name = name }

    /// The index; nil once the app has released it.
    var index: CSSearchableIndex? { state.change { $0.index }?.index }

    func setIndex(_ index: Unowned) { state.change { $0.index = index } }

    // MARK: Batches

    /// Begins a batch; does nothing if a batch is already open.
    func beginBatch() {
        state.change { state in
            guard state.batch == nil else { return }
            (state.batch, state.deletions, state.byteCount, state.failure) = ([], ItemDeletions(), 0, nil)
        }
    }

    /// Adds changes to the open batch; returns nil if no batch is open, and a failure if the changes do not fit.
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

    /// Ends the batch, and returns its changes and the items that it deletes; throws if the batch can't be saved.
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
    /// Converts a failure of the node, or of the connection to it, to an error about an index.
    init(_ failure: LocalFailure) {
        let code: Code =
            switch failure.code {
            case .noNode, .notInitialised, .unknownAccount, .versionMismatch, .locked: .indexUnavailableError
            case .otherState: .mismatchedClientState
            case .quota: .quotaExceeded
            case .usage, .tooLarge: .invalidItemError
            case .failed, .notAllowed: .remoteConnectionError
            default: .unknownError
            }
        self.init(code, failure.text)
    }
}
