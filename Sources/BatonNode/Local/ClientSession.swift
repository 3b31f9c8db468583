import BatonCore
import BatonNetwork
import BatonSecurity

/// What one connection of an app or the command has begun: batches, and calls that wait.
///
/// It ends with the connection, and so does what it began.
final class ClientSession {
    private var batches: [UInt64: AppBatch] = [:]
    /// A large change of an index without a batch of the app, while it is staged.
    private var large: AppBatch?
    /// The account whose store has its batches, and where its calls wait.
    private var account: AccountNode?
    /// The events of the activities that it began.
    let events = AppEvents()
    /// The search of this connection.
    let searching = SearchWish()
    /// The connection itself, which may come to carry a stream.
    weak var connection: LocalConnection?
    /// The invitation that asks the person at this connection; it ends with the connection.
    private weak var invitation: Invitation?
    /// Whether the connection has ended.
    private(set) var isClosed = false
    /// The stream that was asked for and is not there yet.
    var opening: OpeningStream?

    /// Handles one kind of call that an app or the command makes over this connection.
    typealias Handler<Call: ConnectionCall> =
        (ClientSession) -> (Call, Requests, @escaping Answer<Call.Reply>) throws(LocalFailure) -> Void

    /// Returns a call of this connection that waits for its account.
    func waiting<Call: ConnectionCall>(
        _ call: Call, _ answer: @escaping Answer<Call.Reply>, _ handle: @escaping Handler<Call>
    ) -> ServedAccount.Waiting {
        { [self] result in
            do throws(LocalFailure) {
                let requests = try result.get()
                account = requests.account
                try handle(self)(call, requests, answer)
            } catch {
                answer(.failure(error))
            }
        }
    }

    /// The connection has ended.
    func close() {
        isClosed = true
        for (_, batch) in batches.sorted(by: { $0.key < $1.key }) { discard(batch) }
        if let large { discard(large) }
        (batches, large) = ([:], nil)
        searching.end()
        account?.reindexing.forget(self)
        account?.activities.handleEnd(of: self)
        account?.watching.forget(self)
        account?.registry.forget(events)
        account?.streams.forget(events)
        events.end()
        opening?.cancel()
        invitation?.handlePersonGone()
    }

    /// Ends everything that it began, because the account is not there any more.
    func abandon(_ failure: LocalFailure) {
        for wait in takeBack(losing: failure) { wait(.failure(failure)) }
        events.end(failure)
    }

    /// Another state takes the place of the one that it works on: its batches are lost, as they were begun on that one,
    /// and what it waits for is asked of the other state.
    func takeBack(losing failure: LocalFailure) -> [ServedAccount.Waiting] {
        for number in batches.keys { batches[number]?.failure = failure }
        large?.failure = failure
        guard let account = account.take() else { return [] }
        account.registry.forget(events)
        account.streams.forget(events)
        return account.reindexing.takeBack(self) + account.watching.takeBack(self)
    }

    /// Goes on with another state; batches and waits begun before are carried over.
    func goOn(with account: AccountNode) { self.account = account }

    // MARK: Calls that others carry out

    func handle(
        _ call: StartActivity, by requests: Requests, _ answer: @escaping Answer<ActivitySummary>
    ) throws(LocalFailure) {
        try requests.start(call, by: self, answer)
    }

    func handle(
        _ call: OpenInvitation, by requests: Requests, _ answer: Answer<OpenInvitationReply>
    ) throws(LocalFailure) {
        let invitation = try requests.invite(asksPerson: call.asksPerson)
        // Nobody else would answer for the person, and the joiner would wait until the invitation expires.
        if call.asksPerson { self.invitation = invitation }
        answer(
            .success(
                OpenInvitationReply(
                    code: invitation.code.text, expires: invitation.expires, addresses: requests.addresses)))
    }

    func handle(
        _ call: AwaitReindexing, by requests: Requests, _ answer: @escaping Answer<ReindexingReply>
    ) {
        requests.account.reindexing.await(call.index, by: self, answer)
    }

    // MARK: Changes

    func handle(
        _ request: ChangeIndex, by requests: Requests, _ answer: @escaping Answer<IndexReply>
    ) throws(LocalFailure) {
        let account = requests.account
        try Self.check(request.index)
        let app = request.index.app
        guard let number = request.batch else {
            guard request.byteCount > Limits.indexPortionBytes else {
                let drafts = try IndexDrafts(request.index, at: .now).drafts(request.changes)
                return Requests.keep(drafts, for: app, isLimited: true, in: account, answer)
            }
            large = AppBatch(request.index, account.newBatch())
            let quota = account.quota(of: app)
            return take(ChangeIndex.ChangeReader(request), of: request.index, into: nil, in: account) {
                [self] in
                guard let batch = large.take() else { return answer(.failure(Self.ended)) }
                if case .failure = $0 {
                    discard(batch)
                    return answer($0)
                }
                end(batch, with: nil, IndexCondition(quota: quota), quota, in: account, answer)
            }
        }
        if try batch(number, of: request.index) == nil {
            batches[number] = try begin(number, request.index, in: account)
        }
        take(ChangeIndex.ChangeReader(request), of: request.index, into: number, in: account, answer)
    }

    /// Takes changes into a batch, or into the large change without a number, portion by portion: the next one is read
    /// when the one before is with the store.
    private func take(
        _ changes: ChangeIndex.ChangeReader, of index: ClientStateName, into number: UInt64?,
        in account: AccountNode, _ answer: @escaping Answer<IndexReply>
    ) {
        var changes = changes
        do throws(LocalFailure) {
            while !changes.isAtEnd {
                guard var batch = number.map({ batches[$0] }) ?? large else { throw Self.ended }
                if let failure = batch.failure { throw failure }
                let portion = changes.next(upTo: Limits.indexPortionBytes)
                let staged = try batch.append(try IndexDrafts(index, at: .now).drafts(portion))
                if let number { batches[number] = batch } else { large = batch }
                guard !staged.isEmpty else { continue }
                let rest = changes
                return stage(staged, in: batch.identifier, account) { [self] failure in
                    guard let failure else { return take(rest, of: index, into: number, in: account, answer) }
                    if let number, batches[number]?.identifier == batch.identifier {
                        batches[number]?.failure = failure
                    }
                    answer(.failure(failure))
                }
            }
            answer(.success(IndexReply(passedOver: 0)))
        } catch {
            answer(.failure(error))
        }
    }

    /// The batch is no more.
    private static var ended: LocalFailure {
        LocalFailure(.failed, "The batch ended before all of its changes were taken. Begin it anew.")
    }

    private static func check(_ index: ClientStateName) throws(LocalFailure) {
        guard !index.app.isEmpty else {
            throw LocalFailure(.usage, "An index belongs to an app, such as `org.example.notes`.")
        }
    }

    // MARK: Batches

    /// The batch of that number, if it was begun.
    private func batch(_ number: UInt64, of index: ClientStateName) throws(LocalFailure) -> AppBatch? {
        guard let batch = batches[number] else { return nil }
        guard batch.index == index else {
            throw LocalFailure(.usage, "Batch \(number) was begun for another index.")
        }
        return batch
    }

    private func begin(
        _ number: UInt64, _ index: ClientStateName, in account: AccountNode
    ) throws(LocalFailure) -> AppBatch {
        guard batches.count < Limits.openBatches else {
            throw LocalFailure(
                .tooLarge, "One connection may have \(Limits.openBatches) batches. End one of them first.")
        }
        return AppBatch(index, account.newBatch())
    }

    /// Gives drafts to the store; tells what went wrong, if something did.
    private func stage(
        _ drafts: [Journal.Draft], in identifier: BatchIdentifier, _ account: AccountNode,
        then: @escaping (LocalFailure?) -> Void
    ) {
        account.store.submit(to: .index) { (store) throws(StoreFailure) in
            try store.stage(drafts, in: identifier)
        } then: { result in
            switch result {
            case .success: then(nil)
            case .failure(let failure):
                then(
                    LocalFailure(
                        .storage, "It was not kept: \(failure). The batch can't end any more; begin it anew.")
                )
            }
        }
    }

    func handle(
        _ ending: EndBatch, by requests: Requests, _ answer: @escaping Answer<IndexReply>
    ) throws(LocalFailure) {
        let account = requests.account
        try Self.check(ending.index)
        let batch = try batch(ending.batch, of: ending.index) ?? AppBatch(ending.index, account.newBatch())
        let state = try ending.draft(at: .now)
        batches[ending.batch] = nil
        if let failure = batch.failure {
            discard(batch)
            throw failure
        }
        let quota = account.quota(of: ending.index.app)
        let condition = IndexCondition(
            state: ending.isConditional ? .init(ending.index, is: ending.expected) : nil, quota: quota)
        end(batch, with: state, condition, quota, in: account, answer)
    }

    func handle(
        _ call: DiscardBatch, by requests: Requests, _ answer: Answer<IndexReply>
    ) throws(LocalFailure) {
        if let batch = try batch(call.batch, of: call.index) { discard(batch) }
        batches[call.batch] = nil
        answer(.success(IndexReply(passedOver: 0)))
    }

    private func end(
        _ batch: AppBatch, with state: Journal.Draft?, _ condition: IndexCondition, _ quota: Quota,
        in account: AccountNode, _ answer: @escaping Answer<IndexReply>
    ) {
        guard batch.isStaged else {
            let drafts = batch.drafts + (state.map { [$0] } ?? [])
            return account.index(drafts, condition: condition, durably: true) {
                answer($0.indexReply(quota))
            }
        }
        var batch = batch
        let (rest, identifier) = (batch.takeDrafts(), batch.identifier)
        if !rest.isEmpty {
            account.store.submit(to: .index) { (store) throws(StoreFailure) in
                try store.stage(rest, in: identifier)
            } then: { [log = account.log] result in
                // Who ends the batch hears that not all of it is there.
                if case .failure(let failure) = result { log.warn("a batch was not kept: \(failure)") }
            }
        }
        account.end(identifier, count: batch.stagedCount, with: state, condition: condition) {
            answer($0.indexReply(quota))
        }
    }

    private func discard(_ batch: AppBatch) {
        guard batch.isStaged, let account else { return }
        account.store.submit(to: .index) { [identifier = batch.identifier] (store) throws(StoreFailure) in
            try store.discard(identifier)
        } then: { [account] result in
            if case .failure(let failure) = result {
                account.log.warn("a batch could not be forgotten: \(failure)")
            }
            account.settle(.index)
        }
    }
}

extension EndBatch {
    /// The client state as it is to be written, if there is one.
    fileprivate func draft(at now: WallTime) throws(LocalFailure) -> Journal.Draft? {
        guard let state else { return nil }
        do throws(ClientState.TooLong) {
            return try Journal.Draft(ending: state, of: index, changed: now)
        } catch {
            throw LocalFailure(
                .tooLarge,
                "A client state may have \(ClientState.bytesMost) bytes, and this one has \(error.count).")
        }
    }
}

extension Result<StoreCommit, StoreFailure> {
    /// What became of changes to an index of an app with that quota.
    func indexReply(_ quota: Quota) -> Result<IndexReply, LocalFailure> {
        switch self {
        case .failure(let failure):
            return .failure(LocalFailure(.storage, "It was not kept: \(failure). Nothing has changed."))
        case .success(let commit):
            switch commit.refusal {
            case nil where !commit.outranked.isEmpty: return .failure(.outranked(commit.outranked))
            case nil: return .success(IndexReply(passedOver: commit.passedOver))
            case .otherState:
                return .failure(
                    LocalFailure(
                        .otherState,
                        "The client state is another one than was expected. Fetch it, and go on from there."))
            case .quota(let items, let bytes):
                return .failure(
                    LocalFailure(
                        .quota,
                        """
                        The app would have \(items) items of \(bytes) bytes, and may have \(quota.items) of \
                        \(quota.bytes). Delete what is not needed first.
                        """))
            }
        }
    }
}

extension LocalFailure {
    /// Changes to an index that do not count, and what an app can do.
    fileprivate static func outranked(_ records: [RecordIdentity]) -> LocalFailure {
        let isAll = records.contains { $0.kind.isClear || $0.kind == .clientState }
        let count = records.count == 1 ? "1 change does" : "\(records.count) changes do"
        return LocalFailure(
            .failed,
            """
            \(count) not count: \(StoreFailure.outranked). Whatever else was asked for is done.
            Nothing that is written there counts any more. Use another \(isAll ? "index" : "identifier, or another index").
            """)
    }
}
