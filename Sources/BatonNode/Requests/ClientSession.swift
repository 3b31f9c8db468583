import BatonCore
import BatonNetwork
import BatonSecurity
import BatonStore

/// The state of one connection of an app or a command: its batches, and its calls that wait.
///
/// All of this state ends with the connection.
final class ClientSession {
    private var batches = OpenBatches<AppBatch>()
    /// The staged batch for a large change of an index that belongs to no batch of the app; nil if there is none.
    private var large: AppBatch?
    /// Handles calls about the account.
    ///
    /// The batches are in the store of this account, and the connection's calls wait in its parts.
    private var requests: Requests?
    /// The events for the app.
    let events = AppEvents()
    /// The wish of this connection's searches, which says whether the client still waits for them.
    private(set) var searching = SearchWish()
    /// The part of the account in which the connection watches searches; nil if it watches none.
    private weak var watchedSearches: SearchWatchers?
    /// The part of the account that has the connection's searches with pages; nil if there are none.
    private weak var pagedSearches: PagedSearches?
    /// Searches with further pages that began before another state of the account replaced the store.
    private var carriedSearches: [PagedSearches.Carried] = []
    /// The part of the account to which the connection sends vectors of texts; nil if it sends none.
    weak var meaning: Meaning?
    /// The connection itself, which may become a stream.
    weak var connection: LocalConnection?
    /// The invitation for which the person at this connection must confirm the joiner.
    ///
    /// The invitation ends with the connection.
    private weak var invitation: Invitation?
    /// Whether the connection has ended.
    private(set) var isClosed = false
    /// The stream that was requested and is not open yet; nil if there is none.
    var opening: OpeningStream?

    /// A function that handles one kind of call over this connection.
    typealias Handler<Call: ConnectionCall> =
        (ClientSession) -> (Call, Requests, @escaping Answer<Call.Reply>) throws(LocalFailure) -> Void

    /// Identifies this connection in the parts of the account in which its calls wait.
    var identifier: ObjectIdentifier { ObjectIdentifier(self) }

    /// Returns a closure that handles a call once the call's account is open.
    func waiting<Call: ConnectionCall>(
        _ call: Call, _ answer: @escaping Answer<Call.Reply>, _ handle: @escaping Handler<Call>
    ) -> Requests.Waiting {
        { [self] result in
            do throws(LocalFailure) {
                let requests = try result.get()
                self.requests = requests
                if Call.number.isUse { requests.account.automaticLock.noteUse() }
                let last = requests.answer(to: call, answer) { [self] in waiting($0, answer, handle) }
                try handle(self)(call, requests, last)
            } catch {
                answer(.failure(error))
            }
        }
    }

    /// Ends everything that the connection began, because the connection is closed.
    func close() {
        isClosed = true
        for batch in batches.removeAll() { discard(batch) }
        if let large = large.take() { discard(large) }
        searching.end()
        watchedSearches?.forget(identifier)
        pagedSearches?.forget(identifier)
        meaning?.forget(identifier)
        if let account = requests?.account {
            account.reindexing.forget(identifier)
            account.activities.handleEnd(of: events)
            account.watching.forget(identifier)
            account.focuses.forget(identifier)
            account.registry.forget(events)
            account.streams.forget(events)
        }
        events.end()
        opening?.cancel()
        invitation?.handlePersonGone()
    }

    /// Ends everything that the connection began, because the account no longer exists on this node.
    func abandon(_ failure: LocalFailure) {
        for wait in takeBack(losing: failure) { wait(.failure(failure)) }
        events.end(failure)
    }

    /// Prepares for a restored state of the account.
    ///
    /// The batches belong to the old state and are dropped. The waiting calls are returned, so that they can be made
    /// again in the new state.
    func takeBack(losing failure: LocalFailure) -> [Requests.Waiting] {
        _ = batches.removeAll()
        large?.failure = failure
        guard let account = requests.take()?.account else { return [] }
        account.registry.forget(events)
        account.streams.forget(events)
        meaning?.forget(identifier, telling: failure)
        return takeBackPages()
            + account.reindexing.takeBack(identifier).map {
                waiting($0.call, $0.answer, ClientSession.awaitReindexing)
            }
            + account.watching.takeBack(identifier).map {
                waiting($0.call, $0.answer, ClientSession.watchActivities)
            }
            + account.focuses.takeBack(identifier).map {
                waiting($0.call, $0.answer, ClientSession.awaitFocus)
            }
            + (watchedSearches?.takeBack(identifier) ?? []).map {
                waiting($0.call, $0.answer, ClientSession.watchSearch)
            }
    }

    /// Continues with the restored state of the account.
    func goOn(with requests: Requests) { self.requests = requests }

    // MARK: Searches

    /// Returns the searches with pages in the present state of the account.
    ///
    /// This connection's searches from an earlier state are carried over first.
    func pages(of requests: Requests) -> PagedSearches {
        let pages = requests.searches.pages
        pagedSearches = pages
        if !carriedSearches.isEmpty {
            pages.carry(carriedSearches, of: identifier)
            carriedSearches = []
        }
        return pages
    }

    /// Prepares to continue the searches with pages in another state of the account.
    ///
    /// Returns the calls that wait for a page.
    private func takeBackPages() -> [Requests.Waiting] {
        guard let (carried, waits) = pagedSearches?.takeBack(identifier) else { return [] }
        carriedSearches += carried
        return waits.map { wait in
            switch wait {
            case .first(let call, let answer): waiting(call, answer, ClientSession.beginSearch)
            case .next(let call, let answer): waiting(call, answer, ClientSession.nextPage)
            }
        }
    }

    /// Returns the wish for a new search.
    ///
    /// If the search replaces earlier searches, the wish of the earlier searches ends.
    func wish(replacingEarlier: Bool) -> SearchWish {
        if replacingEarlier {
            searching.end()
            searching = SearchWish()
        }
        return searching
    }

    func watchSearch(_ call: WatchSearch, by requests: Requests, _ answer: @escaping Answer<SearchChanges>) {
        watchedSearches = requests.searches.watchers
        requests.searches.watchers.watch(call, by: identifier, answer)
    }

    // MARK: Calls for other parts

    func startActivity(
        _ call: StartActivity, by requests: Requests, _ answer: @escaping Answer<ActivitySummary>
    ) throws(LocalFailure) {
        try requests.start(call, by: events, answer)
    }

    func openInvitation(
        _ call: OpenInvitation, by requests: Requests, _ answer: Answer<OpenInvitationReply>
    ) throws(LocalFailure) {
        let invitation = try requests.invite(asksPerson: call.asksPerson)
        // If the person closes this connection, the invitation must end. Otherwise, the joiner would wait until the
        // invitation expires.
        if call.asksPerson { self.invitation = invitation }
        answer(
            .success(
                OpenInvitationReply(
                    code: invitation.code.text, expires: invitation.expires, addresses: requests.addresses)))
    }

    func awaitReindexing(
        _ call: AwaitReindexing, by requests: Requests, _ answer: @escaping Answer<ReindexingReply>
    ) {
        requests.account.reindexing.await(call, by: identifier, answer)
    }

    func acknowledgeReindexing(
        _ call: AcknowledgeReindexing, by requests: Requests, _ answer: @escaping Answer<IndexReply>
    ) {
        requests.account.reindexing.acknowledge(
            ReindexRequest(call.extent, of: call.index), by: identifier, answer)
    }

    // MARK: Changes

    func changeIndex(
        _ request: ChangeIndex, by requests: Requests, _ answer: @escaping Answer<IndexReply>
    ) throws(LocalFailure) {
        let core = requests.core
        try Self.check(request.index)
        let app = request.index.app
        guard let place = request.place else {
            guard request.byteCount > Limits.indexPortionBytes else {
                let drafts = try core.drafts(request.changes, of: request.index)
                return Requests.keep(drafts, for: app, isLimited: true, in: core, answer)
            }
            large = AppBatch(request.index, core.newBatch())
            let quota = core.quota(of: app)
            return stageChanges(ChangeIndex.ChangeReader(request), of: request.index, into: nil, in: core) {
                [self] in
                guard let batch = large.take() else { return answer(.failure(Self.ended)) }
                if case .failure = $0 {
                    discard(batch)
                    return answer($0)
                }
                end(batch, with: nil, IndexCondition(quota: quota), quota, in: core, answer)
            }
        }
        do throws(OpenBatches<AppBatch>.Refusal) {
            let replaced = try batches.admit(
                place, of: request.index, beginning: AppBatch(request.index, core.newBatch()))
            if let replaced { discard(replaced) }
        } catch {
            throw Self.failure(error, of: place.batch, request.index, saying: place.offset)
        }
        stageChanges(
            ChangeIndex.ChangeReader(request), of: request.index, into: place.batch, in: core, answer)
    }

    /// Adds changes to the batch with a number.
    ///
    /// If the number is nil, adds them to the large change.
    ///
    /// The changes are decoded in portions. Each portion is decoded after the store has staged the previous one. If the
    /// rest of the changes is refused, the batch has only a part of them, and can't end.
    private func stageChanges(
        _ changes: ChangeIndex.ChangeReader, of index: ClientStateName, into number: UInt64?,
        isPartial: Bool = false, in core: AccountCore, _ answer: @escaping Answer<IndexReply>
    ) {
        var (changes, isPartial) = (changes, isPartial)
        do throws(LocalFailure) {
            while !changes.isAtEnd {
                guard var batch = number.map({ batches[$0] }) ?? large else {
                    throw number.map { .notBegun($0, of: index) } ?? Self.ended
                }
                if let failure = batch.failure { throw failure }
                let portion = changes.next()
                let staged = try batch.append(try core.drafts(portion, of: index))
                if let number { batches[number] = batch } else { large = batch }
                isPartial = true
                guard !staged.isEmpty else { continue }
                let rest = changes
                return stage(staged, in: batch.identifier, core) { [self] failure in
                    guard let failure else {
                        return stageChanges(rest, of: index, into: number, isPartial: true, in: core, answer)
                    }
                    if let number, batches[number]?.identifier == batch.identifier {
                        batches[number]?.failure = failure
                    }
                    answer(.failure(failure))
                }
            }
            answer(.success(IndexReply(passedOver: 0)))
        } catch {
            if isPartial, let number { batches[number]?.failure = error }
            answer(.failure(error))
        }
    }

    /// The failure for a large change, a part of which was lost.
    private static var ended: LocalFailure {
        LocalFailure(.failed, "A part of the changes was lost, so none of them was made. Make them again.")
    }

    static func check(_ index: ClientStateName) throws(LocalFailure) {
        guard !index.app.isEmpty else {
            throw LocalFailure(.usage, "An index needs the name of its app, such as `org.example.notes`.")
        }
    }

    // MARK: Batches

    /// Returns the failure for refused changes, or for a refused end of a batch.
    ///
    /// `count` is the number of changes that the call stated.
    private static func failure(
        _ refusal: OpenBatches<AppBatch>.Refusal, of number: UInt64, _ index: ClientStateName,
        saying count: Int
    ) -> LocalFailure {
        switch refusal {
        case .notBegun: .notBegun(number, of: index)
        case .otherIndex: LocalFailure(.usage, "Batch \(number) belongs to another index.")
        case .otherCount(let present):
            LocalFailure(
                .failed,
                """
                Batch \(number) has \(present) changes, and not \(count), as the request says. Nothing has changed. \
                Begin the batch again, from its first change.
                """)
        case .tooMany:
            LocalFailure(
                .tooLarge,
                "A connection may have at most \(Limits.openBatches) batches. End one of them first.")
        }
    }

    /// Stages drafts in the store.
    ///
    /// The closure is called with the failure; nil if there was none.
    private func stage(
        _ drafts: [Journal.Draft], in identifier: BatchIdentifier, _ core: AccountCore,
        then: @escaping (LocalFailure?) -> Void
    ) {
        core.store.submit(to: .index) { (store) throws(StoreFailure) in
            try store.stage(drafts, in: identifier)
        } then: { result in
            switch result {
            case .success: then(nil)
            case .failure(let failure):
                then(
                    LocalFailure(
                        saving: "the changes", failure, "The batch can't be completed; start it again.")
                )
            }
        }
    }

    func endBatch(
        _ ending: EndBatch, by requests: Requests, _ answer: @escaping Answer<IndexReply>
    ) throws(LocalFailure) {
        let core = requests.core
        try Self.check(ending.index)
        let state = try ending.draft(at: .now)
        let (batch, refusal): (AppBatch, OpenBatches<AppBatch>.Refusal?)
        do throws(OpenBatches<AppBatch>.Refusal) {
            (batch, refusal) = try batches.end(ending.batch, of: ending.index, count: ending.count)
        } catch {
            throw Self.failure(error, of: ending.batch, ending.index, saying: ending.count)
        }
        let failure =
            batch.failure
            ?? refusal.map { Self.failure($0, of: ending.batch, ending.index, saying: ending.count) }
            ?? Self.hiddenStateFailure(of: ending, requests.account.reindexing)
        if let failure {
            discard(batch)
            throw failure
        }
        let quota = core.quota(of: ending.index.app)
        let condition = IndexCondition(
            state: expectedState(of: ending, requests.account.reindexing), quota: quota, mark: ending.mark)
        end(batch, with: state, condition, quota, in: core) { [self] in
            answerEnd($0, ending, requests, answer)
        }
    }

    func discardBatch(
        _ call: DiscardBatch, by requests: Requests, _ answer: Answer<IndexReply>
    ) throws(LocalFailure) {
        do throws(OpenBatches<AppBatch>.Refusal) {
            discard(try batches.remove(call.batch, of: call.index))
        } catch  where error != .notBegun {
            throw Self.failure(error, of: call.batch, call.index, saying: 0)
        } catch {
            // The batch does not exist. This is what the app wants.
        }
        answer(.success(IndexReply(passedOver: 0)))
    }

    private func end(
        _ batch: AppBatch, with state: Journal.Draft?, _ condition: IndexCondition, _ quota: Quota,
        in core: AccountCore, _ answer: @escaping Answer<IndexReply>
    ) {
        guard batch.isStaged else {
            let drafts = batch.drafts + (state.map { [$0] } ?? [])
            return core.index(drafts, condition: condition, durably: true) {
                answer($0.indexReply(quota))
            }
        }
        var batch = batch
        let (rest, identifier) = (batch.takeDrafts(), batch.identifier)
        if !rest.isEmpty {
            core.store.submit(to: .index) { (store) throws(StoreFailure) in
                try store.stage(rest, in: identifier)
            } then: { [log = core.log] result in
                // The client gets the failure, too, because ending an incomplete batch fails.
                if case .failure(let failure) = result { log.warn("could not save a batch: \(failure)") }
            }
        }
        core.end(identifier, count: batch.stagedCount, with: state, condition: condition) {
            answer($0.indexReply(quota))
        }
    }

    private func discard(_ batch: AppBatch) {
        guard batch.isStaged, let core = requests?.core else { return }
        core.store.submit(to: .index) { [identifier = batch.identifier] (store) throws(StoreFailure) in
            try store.discard(identifier)
        } then: { [core] result in
            if case .failure(let failure) = result {
                core.log.warn("could not discard a batch: \(failure)")
            }
            core.settle(.index)
        }
    }
}

extension EndBatch {
    /// Returns the draft that writes the batch's client state; nil if the batch has none.
    fileprivate func draft(at now: WallTime) throws(LocalFailure) -> Journal.Draft? {
        guard let state else { return nil }
        do throws(ClientState.TooLong) {
            return try Journal.Draft(ending: state, of: index, changed: now)
        } catch {
            throw LocalFailure(
                .tooLarge,
                "A client state may have at most \(ClientState.bytesMost) bytes; this one has \(error.count)."
            )
        }
    }
}

extension Result<StoreCommit, StoreFailure> {
    /// Returns the reply to a change of an index.
    ///
    /// `quota` is the quota of the index's app.
    func indexReply(_ quota: Quota) -> Result<IndexReply, LocalFailure> {
        switch self {
        case .failure(let failure):
            return .failure(
                LocalFailure(saving: "the changes", failure, "Nothing has changed."))
        case .success(let commit):
            switch commit.refusal {
            case nil where !commit.outranked.isEmpty: return .failure(.outranked(commit.outranked))
            case nil: return .success(IndexReply(passedOver: commit.passedOver))
            case .savedBefore: return .success(IndexReply(passedOver: 0))
            case .otherState: return .failure(.otherState)
            case .clears(let count):
                return .failure(
                    LocalFailure(
                        .quota,
                        """
                        The app would have cleared \(count) domains and indexes that some device has not heard of yet; its \
                        limit is \(quota.clears). Try again once the devices that are away have been connected (`baton status` \
                        names them), or remove them.
                        """))
            case .quota(let items, let bytes):
                return .failure(
                    LocalFailure(
                        .quota,
                        """
                        The app would have \(items) items with \(bytes) bytes; its limits are \(quota.items) items and \
                        \(quota.bytes) bytes. Delete items that are not needed first.
                        """))
            }
        }
    }
}

extension LocalFailure {
    /// The failure for the end of a batch that expects another client state than the index has.
    static let otherState = LocalFailure(
        .otherState, "The client state is not the expected one. Fetch it, and continue from there.")

    /// The failure for changes of an index that had no effect.
    fileprivate static func outranked(_ records: [RecordIdentity]) -> LocalFailure {
        let isAll = records.contains { $0.kind.isClear || $0.kind == .clientState }
        let count = records.count == 1 ? "1 change has" : "\(records.count) changes have"
        return LocalFailure(
            .failed,
            """
            \(count) no effect: \(StoreFailure.outranked). All other changes were made.
            Later changes there will have no effect either. Use another \(isAll ? "index" : "identifier, or another index").
            """)
    }
}
